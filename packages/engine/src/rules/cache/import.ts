import { type Alternative, type Condition, literalPlan, type Needle, type Plan } from '../../terms/condition.js'
import type { CompiledRule, CompiledRules, Extract, NegateTerm, PositiveTerm, RulesWarning } from '../compiled.js'
import { RulesError } from '../error.js'
import { checkCre } from './cre.js'
import { FORMAT, FORMAT_VERSION } from './format.js'
import { broken, duration, flag, index, isObject, list, object, text, wholeNumber } from './shape.js'

/**
 * Restores what `exportRules` wrote. Throws a `RulesError` with the code `cache-version` for the form of another version
 * and `cache-broken` for anything else that is not exactly such a form: the caller then compiles the documents again.
 *
 * ```ts
 * const rules = importRules(await readFile(path, 'utf8'))
 * ```
 */
export function importRules(cached: string): CompiledRules {
  const stored = parse(cached)
  const conditions = list(stored.conditions).map(restoreCondition)
  const { version } = stored
  return {
    rules: list(stored.rules).map((rule) => restoreRule(rule, conditions.length)),
    conditions,
    ...(version !== undefined && { version: text(version) }),
    warnings: list(stored.warnings).map(restoreWarning),
    fingerprint: text(stored.fingerprint),
  }
}

function parse(cached: string): Record<string, unknown> {
  let stored: unknown
  try {
    stored = JSON.parse(cached)
  } catch {
    throw broken('it is not JSON')
  }
  if (!isObject(stored) || stored.format !== FORMAT) throw broken('it is something else')
  if (stored.formatVersion === FORMAT_VERSION) return stored
  const message = `compiled rules of format ${JSON.stringify(stored.formatVersion) ?? 'unknown'}, but ${FORMAT_VERSION} is needed`
  throw new RulesError([{ code: 'cache-version', file: '', line: 0, column: 0, message }])
}

function restoreCondition(stored: unknown): Condition {
  const { kind, text: words, plan } = object(stored)
  if (kind === 'literal') return { kind, text: text(words), plan: literalPlan(text(words)) }
  if (kind === 'regex' || kind === 'jq') return { kind, text: text(words), plan: restorePlan(plan) }
  throw broken('a condition of no known kind')
}

function restorePlan(stored: unknown): Plan {
  return stored === null ? null : list(stored).map(restoreAlternative)
}

function restoreAlternative(stored: unknown): Alternative {
  const { needles, gaps, exact } = object(stored)
  const restored = {
    needles: list(needles, 1).map(restoreNeedle),
    gaps: list(gaps).map(restoreGap),
    exact: flag(exact),
  }
  if (restored.gaps.length !== restored.needles.length) throw broken('a gap is missing')
  return restored
}

function restoreNeedle(stored: unknown): Needle {
  const { text: words, fold } = object(stored)
  return { text: text(words, 1), fold: flag(fold) }
}

function restoreGap(stored: unknown): number {
  return wholeNumber(stored, 0)
}

function restoreRule(stored: unknown, conditions: number): CompiledRule {
  const { cre, ruleId, ruleHash, source, kind, window, terms, negate } = object(stored)
  if (kind !== 'set' && kind !== 'sequence') throw broken('a rule of no known kind')
  const positive = list(terms, 1).map((term) => restoreTerm(term, conditions))
  return {
    cre: checkCre(cre),
    ruleId: text(ruleId),
    ruleHash: text(ruleHash),
    source: text(source),
    kind,
    window: duration(window),
    terms: positive,
    negate: restoreNegates(negate, conditions, positive),
  }
}

const NOTHING: readonly never[] = []

function restoreTerm(stored: unknown, conditions: number): PositiveTerm {
  const { condition, count, extract } = object(stored)
  return {
    condition: index(condition, conditions),
    count: wholeNumber(count, 1),
    extract: extract === undefined ? NOTHING : list(extract).map(restoreExtract),
  }
}

function restoreExtract(stored: unknown): Extract {
  const { name, kind, text: words } = object(stored)
  if (kind !== 'regex' && kind !== 'jq') throw broken('a value to extract')
  return { name: text(name), kind, text: text(words) }
}

function restoreNegates(stored: unknown, conditions: number, terms: readonly PositiveTerm[]): readonly NegateTerm[] {
  const negate = list(stored)
  if (negate.length === 0) return NOTHING
  const total = terms.reduce((sum, { count }) => sum + count, 0)
  return negate.map((term) => restoreNegate(term, conditions, total))
}

function restoreNegate(stored: unknown, conditions: number, total: number): NegateTerm {
  const { condition, window, slide, anchor, absolute } = object(stored)
  return {
    condition: index(condition, conditions),
    window: duration(window),
    slide: duration(slide),
    anchor: index(anchor, total),
    absolute: flag(absolute),
  }
}

function restoreWarning(stored: unknown): RulesWarning {
  const { file, line, column, creId, message } = object(stored)
  return {
    file: text(file),
    line: wholeNumber(line, 1),
    column: wholeNumber(column, 1),
    ...(creId !== undefined && { creId: text(creId) }),
    message: text(message),
  }
}
