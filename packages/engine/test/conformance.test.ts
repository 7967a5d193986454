import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { compileRules, detect, readEntries } from '../src/index.js'
import { hasShared, sharedFolder } from './contract.js'

interface MatchingVector {
  readonly id: string
  readonly rule: string
  readonly log: string
  readonly detections: readonly (readonly number[])[]
}

interface EntriesVector {
  readonly id: string
  readonly log: string
  readonly now?: string
  readonly entries: readonly { readonly timestamp: string; readonly text: string }[]
}

function vectors<Vector>(name: string): Vector[] {
  const text = readFileSync(join(sharedFolder, 'conformance', name), 'utf8')
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
}

/** Both files of entries. A case of the second replaces the case of the same name in the first. */
function entriesVectors(): EntriesVector[] {
  const all = [...vectors<EntriesVector>('entries.jsonl'), ...vectors<EntriesVector>('entries-mixed.jsonl')]
  return [...new Map(all.map((vector) => [vector.id, vector])).values()]
}

const encode = (text: string) => new TextEncoder().encode(text)

/** The logs of the vectors number their lines: `… n7 …`. */
function lineNumber(entry: string): number {
  return Number(/(?:^|\s)n(\d+)\b/.exec(entry)?.[1])
}

/**
 * The corpus was recorded before a stream could have several formats. In this log access lines of nginx are between its errors, and one
 * line follows the name of a container: each of these ten lines is an entry now, which meets the rule, in the second that it names.
 */
const MIXED: Readonly<Record<string, (recorded: Record<string, number[][]>) => Record<string, number[][]>>> = {
  'cre-2025-0121': ({ 'test.log': detections }) => {
    const [errors, backend] = [detections.slice(0, 21), detections.slice(21)]
    const minute = 1_719_844_200
    const withAccess = errors.flatMap(([time], i) => {
      const isLastOfSecond = errors[i + 1]?.[0] !== time
      return isLastOfSecond && time >= minute + 17 ? [[time], [time]] : [[time]]
    })
    return { 'test.log': [...withAccess, [minute + 15], ...backend] }
  },
}

async function detectedLines(vector: MatchingVector): Promise<number[][]> {
  const rules = await compileRules([{ name: `${vector.id}.yaml`, text: vector.rule }])
  const found: number[][] = []
  for await (const detection of detect(rules, encode(vector.log))) {
    found.push(detection.hits.map((hit) => lineNumber(hit.entry)))
  }
  return found
}

// The contract is beside the checkout in ../shared; without it (in a user's clone) these tests are skipped, and CI fails.
describe.runIf(hasShared)('the contract in ../shared', () => {
  for (const file of ['matching.jsonl', 'matching-edge.jsonl']) {
    it(`detects what ${file} records`, async () => {
      const wrong: unknown[] = []
      for (const vector of vectors<MatchingVector>(file)) {
        const found = await detectedLines(vector)
        if (JSON.stringify(found) !== JSON.stringify(vector.detections)) {
          wrong.push({ id: vector.id, found, expected: vector.detections })
        }
      }
      expect(wrong).toEqual([])
    })
  }

  for (const vector of hasShared ? entriesVectors() : []) {
    it(`reads ${vector.id}`, async () => {
      const options = vector.now === undefined ? {} : { now: new Date(vector.now) }
      const entries: unknown[] = []
      for await (const { timestamp, text } of readEntries(encode(vector.log), options)) {
        entries.push({ timestamp: String(timestamp), text })
      }
      expect(entries).toEqual(vector.entries)
    })
  }

  const corpus = join(sharedFolder, 'corpus/cre')
  const cases = hasShared ? readdirSync(corpus).filter((name) => name.startsWith('cre-')) : []

  it('contains the whole corpus', () => {
    expect(cases).toHaveLength(119)
  })

  for (const name of cases) {
    it(`detects what the corpus records for ${name}`, async () => {
      const folder = join(corpus, name)
      const rules = await compileRules([{ name: 'rule.yaml', text: readFileSync(join(folder, 'rule.yaml'), 'utf8') }])
      const recorded: Record<string, number[][]> = JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8'))
      const expected = MIXED[name]?.(recorded) ?? recorded
      const found: Record<string, number[][]> = {}
      for (const log of Object.keys(expected)) {
        found[log] = []
        for await (const { hits } of detect(rules, readFileSync(join(folder, log)))) {
          found[log].push(hits.map((hit) => Number(hit.timestamp / 1_000_000_000n)))
        }
      }
      expect(found).toEqual(expected)
    })
  }
})
