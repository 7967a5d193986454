import { type CompiledRules, createDetector, entryOf } from '@omen/engine'
import { type WrittenCondition, type WrittenDocument, writtenConditions } from '../documents/written-rules.js'
import { conditionProbe, probedCondition } from '../testing/scan-log.js'
import type { PlacedRemark } from './lint-documents.js'

const SHORTEST_LITERAL = 3

/** What people write in patterns and hardly ever look for as text. */
const LOOKS_LIKE_PATTERN = /\\[dDsSwWb]|\.[*+]|\[[^\]\s]+\][*+?{]|^\(\?[ims]+\)|\([^()]*\|[^()]*\)/

/** A pattern shows early; a hostile text of 64 Ki brackets would take seconds to look through. */
const LONGEST_LOOK = 1000

/** Lines that have nothing in common: what is met by all of them is met by everything. The last ones are JSON. */
const SAMPLES = ['q', '7 7', '#', '{}', '{"k":"v"}', '{"n":0}']
const JSON_SAMPLES = SAMPLES.filter((sample) => sample.startsWith('{')).length

/** Remarks about single conditions. `compiled` is undefined when the document cannot be used. */
export async function checkConditions(
  document: WrittenDocument,
  compiled: CompiledRules | undefined,
): Promise<PlacedRemark[]> {
  const written = writtenConditions(document)
  const careless = written.flatMap(checkLiteral)
  return compiled === undefined ? careless : [...careless, ...(await checkPatterns(written, compiled))]
}

function checkLiteral({ kind, text, at, creId }: WrittenCondition): PlacedRemark[] {
  if (kind !== 'literal' || text === '') return []
  if (LOOKS_LIKE_PATTERN.test(text.slice(0, LONGEST_LOOK))) {
    const message = 'looks like a pattern but is searched for as it stands: write regex: if it is one'
    return [{ at, creId, message }]
  }
  if (text.length >= SHORTEST_LITERAL) return []
  return [
    { at, creId, message: `${JSON.stringify(text)} is so short that many entries contain it: write more of the text` },
  ]
}

async function checkPatterns(written: readonly WrittenCondition[], compiled: CompiledRules): Promise<PlacedRemark[]> {
  const met = await metSamples(compiled)
  return written.flatMap(({ kind, text, at, creId }) => {
    if (kind === 'literal') return []
    const index = compiled.conditions.findIndex((condition) => condition.kind === kind && condition.text === text)
    // Of a named term that no rule uses the compiler has said so already.
    if (index === -1) return []
    const message = judge(kind, met[index]!, compiled.conditions[index]!.plan === null)
    return message === undefined ? [] : [{ at, creId, message }]
  })
}

function judge(kind: 'regex' | 'jq', met: number, needsNoText: boolean): string | undefined {
  if (kind === 'regex' && met === SAMPLES.length)
    return 'the regex matches every entry: write what only this problem has'
  if (kind === 'jq' && met === JSON_SAMPLES) return 'the filter is met even by {}: ask for a field and its value'
  if (!needsNoText) return undefined
  const what = kind === 'regex' ? 'the regex' : 'the filter'
  return `${what} has no fixed text, so that every entry must be tried, which is slow: add a word that they all have`
}

/** How many of the samples each condition is met by. */
async function metSamples(compiled: CompiledRules): Promise<number[]> {
  const met = compiled.conditions.map(() => 0)
  const detector = createDetector(await conditionProbe(compiled), { now: new Date(0) })
  const lines = new TextEncoder().encode(`${SAMPLES.join('\n')}\n`)
  for (const { cre } of [...detector.push(lines), ...detector.end()]) met[probedCondition(cre.id)]!++
  return met
}

/** A rule that can never fire: what it asks for is what it forbids. */
export function checkContradictions(document: WrittenDocument, compiled: CompiledRules): PlacedRemark[] {
  return compiled.rules.flatMap((rule) => {
    const positive = new Set(rule.terms.map(({ condition }) => condition))
    // From the first entry to the last one or longer: then every entry of the detection objects to it.
    const objects = rule.negate.some(({ condition, window, slide, anchor, absolute }) => {
      return positive.has(condition) && !absolute && anchor === 0 && slide <= 0n && slide + window >= 0n
    })
    const written = objects ? document.rules.find(({ id }) => id === rule.cre.id) : undefined
    const body = written && entryOf(written.node, 'rule')
    const message = 'the rule can never fire: it negates one of its own conditions'
    return body ? [{ at: body.start, creId: rule.cre.id, message }] : []
  })
}
