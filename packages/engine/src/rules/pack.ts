import { type Document, isMap, isSeq, parseAllDocuments, type YAMLMap } from 'yaml'
import { quote } from '../messages/quote.js'
import { compileRules } from './compile.js'
import type { CompiledRule, CompiledRules } from './compiled.js'
import { type ProblemCode, RulesError } from './error.js'
import { type RuleSource, readSource } from './source.js'

/** Rules as one document stream, ready to be compressed and signed. */
export interface PackedRules {
  readonly text: string
  /** The rules that the text compiles to. */
  readonly rules: CompiledRules
}

export interface PackOptions {
  /** The version that the package carries, such as `1.4.0`. Without it, the one that the documents state. */
  readonly version?: string
  /** The name of the package in messages. */
  readonly name?: string
}

/**
 * Every value stays the string that the author wrote: `3.10` does not become `3.1`. Long lines are not folded, so that a command
 * in a mitigation stays on its line.
 */
const READ = { schema: 'failsafe', logLevel: 'silent' } as const
const WRITE = { lineWidth: 0, flowCollectionPadding: false } as const

/**
 * Packs rule documents into one stream: every rule with its id and hash, then the version. The same documents give the same
 * text on every machine. The package is compiled as its users will compile it, so a package that does not load
 * is never made.
 */
export async function packRules(documents: readonly RuleSource[], options: PackOptions): Promise<PackedRules> {
  const { name = 'package' } = options
  const { rules, fingerprint, ...stated } = await compileRules(documents)
  const version = options.version ?? stated.version
  if (version === undefined) throw rulesError(name, 'missing', 'a package needs a version, such as 1.4.0')
  const texts = await Promise.all(documents.map(readSource))
  const text = [...identify(texts, rules), footer(version)].join('---\n')
  const packed = await compileRules([{ name, text }], { requireIds: true })
  if (packed.version !== version)
    throw rulesError(name, 'bad-section', `${quote(version)} is not a version such as 1.4.0`)
  if (packed.fingerprint !== fingerprint)
    throw rulesError(name, 'yaml', 'the rules do not survive packing: write them in simpler YAML')
  return { text, rules: packed }
}

/** The documents of all files, with `id` and `hash` in the metadata of every rule. */
function identify(texts: readonly string[], rules: readonly CompiledRule[]): string[] {
  let next = 0
  const documents = texts.flatMap((text) => parseAllDocuments(text, READ) as Document.Parsed[])
  return documents.filter(holdsRules).map((document) => {
    // A package has one footer, its own.
    for (const key of ['section', 'content']) document.delete(key)
    const list = document.get('rules')
    if (isSeq(list)) for (const rule of list.items) state(document, rule, rules[next++]!)
    return document.toString(WRITE).replace(/^---\n/, '')
  })
}

function holdsRules(document: Document.Parsed): boolean {
  return isMap(document.contents) && (document.has('rules') || document.has('terms'))
}

function state(document: Document.Parsed, rule: unknown, { ruleId, ruleHash }: CompiledRule): void {
  // An alias repeats a rule, so it was rejected as a duplicate.
  if (!isMap(rule)) return
  const known = rule.get('metadata')
  const rest = isMap(known) ? known.items.filter(({ key }) => !['id', 'hash'].includes(String(key))) : []
  const metadata = document.createNode({ id: ruleId, hash: ruleHash }) as YAMLMap
  metadata.items.push(...(rest as typeof metadata.items))
  rule.set('metadata', metadata)
}

function footer(version: string): string {
  return `section: version\ncontent:\n  - version: ${version}\n`
}

function rulesError(file: string, code: ProblemCode, message: string): RulesError {
  return new RulesError([{ code, file, line: 0, column: 0, message }])
}
