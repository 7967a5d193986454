import { type CompiledRules, createDetector, entryOf, type Warn } from '@omen/engine'
import { type WrittenCondition, type WrittenDocument, writtenConditions } from '../documents/written-rules.js'
import { conditionProbe, probedCondition } from '../testing/scan-log.js'
import type { FindingAt } from './lint-documents.js'

const SHORTEST_LITERAL = 3

/** Parts of patterns that are hardly ever literal text. */
const LOOKS_LIKE_PATTERN = /\\[dDsSwWb]|\.[*+]|\[[^\]\s]+\][*+?{]|^\(\?[ims]+\)|\([^()]*\|[^()]*\)/

/** Only the beginning is tested: a hostile string of 64 Ki brackets would take seconds. */
const LONGEST_LOOK = 1000

/** Lines that have nothing in common: a condition that is met by all of them is met by everything. The last ones are JSON. */
const SAMPLES = ['q', '7 7', '#', '{}', '{"k":"v"}', '{"n":0}']
const JSON_SAMPLES = SAMPLES.filter((sample) => sample.startsWith('{')).length

/** Findings about single conditions. `compiled` is undefined if the document is invalid. */
export async function checkConditions(
  document: WrittenDocument,
  compiled: CompiledRules | undefined,
): Promise<FindingAt[]> {
  const written = writtenConditions(document)
  const literals = written.flatMap(checkLiteral)
  return compiled === undefined ? literals : [...literals, ...(await checkPatterns(written, compiled))]
}

function checkLiteral({ kind, text, at, creId }: WrittenCondition): FindingAt[] {
  if (kind !== 'literal' || text === '') return []
  if (LOOKS_LIKE_PATTERN.test(text.slice(0, LONGEST_LOOK))) {
    const message = 'looks like a pattern but is a literal string: use regex: if it is a pattern'
    return [{ at, creId, message }]
  }
  if (text.length >= SHORTEST_LITERAL) return []
  return [
    { at, creId, message: `${JSON.stringify(text)} is so short that many entries contain it: use a longer string` },
  ]
}

async function checkPatterns(written: readonly WrittenCondition[], compiled: CompiledRules): Promise<FindingAt[]> {
  const { met, warnings } = await trySamples(compiled)
  return written.flatMap(({ kind, text, at, creId }) => {
    if (kind === 'literal') return []
    const index = compiled.conditions.findIndex((condition) => condition.kind === kind && condition.text === text)
    // A named term that no rule uses; the compiler has already reported it.
    if (index === -1) return []
    const message = warnings.get(index) ?? describeFlaw(kind, met[index]!, compiled.conditions[index]!.plan === null)
    return message === undefined ? [] : [{ at, creId, message }]
  })
}

function describeFlaw(kind: 'regex' | 'jq', met: number, hasNoLiteral: boolean): string | undefined {
  if (kind === 'regex' && met === SAMPLES.length)
    return 'the regex matches every entry: make it specific to this problem'
  if (kind === 'jq' && met === JSON_SAMPLES) return 'the filter matches even {}: test a field and its value'
  if (!hasNoLiteral) return undefined
  const what = kind === 'regex' ? 'the regex' : 'the filter'
  return `${what} has no literal string, so that it must be tried on every entry, which is slow: add a word that all matches contain`
}

/** The number of samples that meet each condition, and what a scan would warn of. */
async function trySamples(compiled: CompiledRules) {
  const met = compiled.conditions.map(() => 0)
  const warnings = new Map<number, string>()
  const warn: Warn = (message, subject) => {
    if (subject !== 'rule') return
    const [probe = '', ...text] = message.split(': ')
    warnings.set(probedCondition(probe), text.join(': '))
  }
  const detector = createDetector(await conditionProbe(compiled), { now: new Date(0), warn })
  const lines = new TextEncoder().encode(`${SAMPLES.join('\n')}\n`)
  for (const { cre } of [...detector.push(lines), ...detector.end()]) met[probedCondition(cre.id)]!++
  return { met, warnings }
}

/** Findings about rules that can never fire, because they negate one of their own conditions. */
export function checkContradictions(document: WrittenDocument, compiled: CompiledRules): FindingAt[] {
  return compiled.rules.flatMap((rule) => {
    const positive = new Set(rule.terms.map(({ condition }) => condition))
    // If the negated range contains all entries of a detection, the condition itself prevents it.
    const isContradiction = rule.negate.some(({ condition, window, slide, anchor, absolute }) => {
      return positive.has(condition) && !absolute && anchor === 0 && slide <= 0n && slide + window >= 0n
    })
    const written = isContradiction ? document.rules.find(({ id }) => id === rule.cre.id) : undefined
    const body = written && entryOf(written.node, 'rule')
    const message = 'the rule can never fire: it negates one of its own conditions'
    return body ? [{ at: body.start, creId: rule.cre.id, message }] : []
  })
}
