import { describe, expect, test } from 'vitest'
import { hasShared } from '../../test/contract.js'
import { type MatchingVector, readMatchingVectors } from '../../test/matching-vectors.js'
import { slowDetections } from '../../test/slow-matcher.js'
import { createMatcher, type Detection } from './matcher.js'

function run({ rule, log }: MatchingVector): Detection[] {
  const found: Detection[] = []
  const matcher = createMatcher([rule], { emit: (detection) => found.push(detection) })
  let clock = 0n
  for (const { entry, conditions } of log) {
    if (entry.timestamp > clock) clock = entry.timestamp
    matcher.arrive(entry, clock, conditions, conditions.length)
  }
  matcher.end()
  return found
}

function lines(detections: readonly Detection[]): number[][] {
  return detections.map(({ hits }) => hits.map(({ entry }) => entry.line - 1))
}

describe.runIf(hasShared)('the conformance vectors', () => {
  for (const [file, count] of [
    ['matching.jsonl', 800],
    ['matching-edge.jsonl', 120],
  ] as const) {
    const vectors = hasShared ? readMatchingVectors(file) : []

    test(`${file} has all its cases`, () => {
      expect(vectors.length).toBe(count)
    })

    test(`${file} leads to exactly the recorded detections, in order`, () => {
      for (const vector of vectors) expect(lines(run(vector)), vector.id).toEqual(vector.detections)
    })

    test(`${file} has the detections of the oracle`, () => {
      for (const { id, rule, log, detections } of vectors) {
        expect(lines(slowDetections([rule], log)), id).toEqual(detections)
      }
    })
  }
})
