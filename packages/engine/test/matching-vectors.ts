import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import type { CompiledRule, NegateTerm, PositiveTerm } from '../src/rules/compiled.js'
import { sharedFolder } from './contract.js'
import type { Arrival } from './slow-matcher.js'

/** A case of `matching.jsonl` or `matching-edge.jsonl`; a hit is the number of a line in the log, from 0. */
export interface MatchingVector {
  readonly id: string
  readonly rule: CompiledRule
  readonly log: readonly Arrival[]
  readonly detections: readonly (readonly number[])[]
}

interface WrittenTerm {
  readonly value: string
  readonly count?: number
  readonly window?: string
  readonly slide?: string
  readonly anchor?: number
  readonly absolute?: boolean
}

interface WrittenRule {
  readonly window?: string
  readonly match?: readonly WrittenTerm[]
  readonly order?: readonly WrittenTerm[]
  readonly negate?: readonly WrittenTerm[]
}

/** Reads one of the files. Its rules are compiled by a minimal compiler: literals only, durations in whole seconds. */
export function readMatchingVectors(file: string): MatchingVector[] {
  return readFileSync(`${sharedFolder}conformance/${file}`, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const { id, rule: text, log, detections } = JSON.parse(line)
      const values: string[] = []
      const rule = compile(id, parse(text).rules[0].rule, values)
      return { id, rule, log: arrivals(log, values), detections }
    })
}

function compile(id: string, rule: { set?: WrittenRule; sequence?: WrittenRule }, values: string[]): CompiledRule {
  const kind = rule.sequence === undefined ? 'set' : 'sequence'
  const written = (rule.sequence ?? rule.set)!
  return {
    cre: { id: `CRE-${id}` },
    ruleId: id,
    ruleHash: id,
    source: 'cre.log.test',
    kind,
    window: nanoseconds(written.window),
    terms: mergeRepeats(kind, written.order ?? written.match ?? [], values),
    negate: (written.negate ?? []).map(
      (term): NegateTerm => ({
        condition: conditionOf(term.value, values),
        window: nanoseconds(term.window),
        slide: nanoseconds(term.slide),
        anchor: term.anchor ?? 0,
        absolute: term.absolute ?? false,
      }),
    ),
  }
}

function mergeRepeats(kind: 'set' | 'sequence', written: readonly WrittenTerm[], values: string[]): PositiveTerm[] {
  const terms: PositiveTerm[] = []
  for (const { value, count = 1 } of written) {
    const condition = conditionOf(value, values)
    const same = terms.findLastIndex((term) => term.condition === condition)
    const merges = kind === 'set' ? same >= 0 : same >= 0 && same === terms.length - 1
    if (merges) terms[same] = { ...terms[same]!, count: terms[same]!.count + count }
    else terms.push({ condition, count, extract: [] })
  }
  return terms
}

function conditionOf(value: string, values: string[]): number {
  return values.includes(value) ? values.indexOf(value) : values.push(value) - 1
}

function nanoseconds(duration = '0s'): bigint {
  const seconds = /^(-?\d+)s$/.exec(duration)?.[1]
  if (seconds === undefined) throw new Error(`not whole seconds: ${duration}`)
  return BigInt(seconds) * 1_000_000_000n
}

function arrivals(log: string, values: readonly string[]): Arrival[] {
  return log
    .split('\n')
    .filter((line) => line !== '')
    .map((line, index) => {
      const space = line.indexOf(' ')
      const text = line.slice(space + 1)
      return {
        entry: { timestamp: BigInt(Date.parse(line.slice(0, space))) * 1_000_000n, text, line: index + 1 },
        conditions: values.flatMap((value, condition) => (text.includes(value) ? [condition] : [])),
      }
    })
}
