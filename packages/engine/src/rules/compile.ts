import type { CompiledRules } from './compiled.js'
import { compileConditions } from './conditions.js'
import { createDiagnosticLists, type DiagnosticLists, type Diagnostics, diagnosticsOf, inOrder } from './diagnostics.js'
import { readYaml } from './document/read.js'
import { reportDuplicates } from './duplicates.js'
import { RulesError } from './error.js'
import { fingerprintOf } from './identity.js'
import { type ConditionPool, createConditionPool } from './pool.js'
import { type ReadFile, readFile } from './reading/file.js'
import { type RuleSource, readSource, SourceError } from './source.js'

export interface CompileOptions {
  /** Every rule must state `metadata.id` and `metadata.hash`, as in a package; otherwise missing ones are derived. */
  readonly requireIds?: boolean
}

/** A file that was read, with its diagnostics. */
export interface LoadedFile extends ReadFile {
  readonly diagnostics: Diagnostics
}

/**
 * Compiles rule documents, in load order. Rejects with one `RulesError` that carries every problem of every document;
 * nothing is loaded from documents of which one is wrong.
 *
 * ```ts
 * const rules = await compileRules([{ name: 'kafka.yaml', text }, { name: 'package.yaml.gz', bytes }])
 * for (const { line, message } of rules.warnings) console.warn(line, message)
 * ```
 */
export async function compileRules(
  documents: readonly RuleSource[],
  options: CompileOptions = {},
): Promise<CompiledRules> {
  const all = createDiagnosticLists()
  const pool = createConditionPool()
  const files: LoadedFile[] = []
  for (const [number, document] of documents.entries()) {
    const file = await loadFile(document, number, all, pool, options.requireIds ?? false)
    if (file !== undefined) files.push(file)
  }
  const conditions = await compileConditions(pool)
  reportDuplicates(files)
  const [first, ...others] = inOrder(all.problems)
  if (first !== undefined) throw new RulesError([first, ...others])
  const rules = files.flatMap((file) => file.rules.map(({ rule }) => rule))
  const version = files.find((file) => file.version !== undefined)?.version
  return {
    rules,
    conditions,
    ...(version !== undefined && { version }),
    warnings: inOrder(all.warnings),
    lint: inOrder(all.lint),
    fingerprint: fingerprintOf(rules, conditions),
  }
}

async function loadFile(
  source: RuleSource,
  number: number,
  all: DiagnosticLists,
  pool: ConditionPool,
  requireIds: boolean,
): Promise<LoadedFile | undefined> {
  try {
    const text = await readSource(source)
    const diagnostics = diagnosticsOf(all, source.name, text, number)
    return { ...readFile(await readYaml(text), { file: text, diagnostics, pool, requireIds }), diagnostics }
  } catch (error) {
    if (!(error instanceof SourceError)) throw error
    diagnosticsOf(all, source.name, error.text, number).problem(error.code, error.at, error.message)
    return undefined
  }
}
