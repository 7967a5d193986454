import { importRules as importCompiled } from '../rules/cache/import.js'
import type { CompileOptions } from '../rules/compile.js'
import type { CompiledRule, CompiledRules } from '../rules/compiled.js'
import type { PackedRules, PackOptions } from '../rules/pack.js'
import type { RuleSource } from '../rules/source.js'
import { loadTestModules, type TestModules } from './condition-tests.js'
import { type KernelFactory, loadKernel } from './kernel/kernel.js'

/** The modules that rules need to run. Creating a detector is synchronous, so they are loaded with the rules. */
export interface Prepared {
  readonly makeKernel: KernelFactory
  readonly modules: TestModules
}

const preparations = new WeakMap<CompiledRules, Prepared>()

/**
 * Compiles rule documents. Rejects with a `RulesError` that lists every problem of every document.
 *
 * @example
 * const rules = await compileRules([{ name: 'kafka.yaml', text }])
 */
export async function compileRules(
  documents: readonly RuleSource[],
  options: CompileOptions = {},
): Promise<CompiledRules> {
  startLoading()
  // Loaded only to compile documents: rules from the cache start faster without it.
  const { compileRules: compileDocuments } = await import('../rules/compile.js')
  return prepareRules(await compileDocuments(documents, options))
}

/**
 * Reads rules that `exportRules` has written: much faster than compiling their documents again.
 *
 * @example
 * const rules = await importRules(await readFile('rules.cache.json', 'utf8'))
 */
export async function importRules(text: string): Promise<CompiledRules> {
  startLoading()
  return prepareRules(importCompiled(text))
}

/**
 * Packs rule documents into one stream: every rule with its id and hash, then the version. Rejects with a `RulesError` if
 * the documents have problems.
 *
 * @example
 * const { text } = await packRules([{ name: 'kafka.yaml', text: document }], { version: '1.4.0' })
 */
export async function packRules(documents: readonly RuleSource[], options: PackOptions = {}): Promise<PackedRules> {
  const pack = await import('../rules/pack.js')
  const { text, rules } = await pack.packRules(documents, options)
  return { text, rules: await prepareRules(rules) }
}

/** Starts to compile the kernel while the rules are read. A failure is handled when the kernel is needed. */
function startLoading(): void {
  void loadKernel()
}

/** Loads the kernel and the modules that the conditions and extracts need. */
async function prepareRules(rules: CompiledRules): Promise<CompiledRules> {
  const [makeKernel, modules] = await Promise.all([loadKernel(), loadTestModules(rules)])
  preparations.set(rules, { makeKernel, modules })
  return rules
}

/** The modules that were loaded for these rules. */
export function preparedFor(rules: CompiledRules): Prepared {
  const prepared = preparations.get(rules)
  if (!prepared) throw new TypeError('these rules are not from compileRules or importRules')
  return prepared
}

/**
 * The rules that run on a source, with only the conditions that they use, renumbered. The source `*` runs every rule, and a
 * rule for `*` runs on every source.
 */
export function selectRules(rules: CompiledRules, source: string): CompiledRules {
  if (source === '*') return rules
  const chosen = rules.rules.filter((rule) => rule.source === source || rule.source === '*')
  if (chosen.length === rules.rules.length) return rules

  const numbers = new Map<number, number>()
  const renumber = <Term extends { readonly condition: number }>(term: Term): Term => {
    const condition = numbers.get(term.condition) ?? numbers.size
    numbers.set(term.condition, condition)
    return { ...term, condition }
  }
  const renumbered = chosen.map(
    (rule): CompiledRule => ({ ...rule, terms: rule.terms.map(renumber), negate: rule.negate.map(renumber) }),
  )
  const conditions = [...numbers.keys()].map((index) => rules.conditions[index])
  return { ...rules, rules: renumbered, conditions }
}
