import { type CustomTimestamp, compileRules, createDetector, type Detector } from '@omen/engine'

/** Finds the first time in the first bytes of a file; undefined when there is none. */
export type FindFirstTime = (head: Uint8Array, timestamp: CustomTimestamp | undefined) => bigint | undefined

export interface TimeSettings {
  /** Tried before the built-in formats. */
  readonly timestamps: readonly { readonly pattern: string; readonly format: string }[]
  /** How many lines are looked at for a time. */
  readonly skip: number
  /** Decides the year of times without one. */
  readonly now: Date
}

/** A rule that every entry hits: a detector, which is made once for all files, then tells the time of each. */
const EVERY_ENTRY = `
rules:
  - cre: {id: EVERY-ENTRY}
    metadata: {id: J7uRQTGpGMyL1iFpssnBeS, hash: rdJLgqYgkEp8jg8Qks1qiq}
    rule: {set: {event: {source: '*'}, match: [{regex: .}]}}
`

/** The year 2116: it marks lines that have no time. */
const NO_TIME = 2n ** 62n

/** The first entry mostly ends within this many bytes; those that follow it are not wanted. */
const PIECE = 4096

/**
 * Makes what finds the first time in a file.
 *
 * @example
 * const findFirstTime = await createTimeFinder({ timestamps: [], skip: 50, now: new Date() })
 * findFirstTime(Buffer.from('2026-03-01T12:00:00Z started\\n'), undefined) // 1772366400000000000n
 */
export async function createTimeFinder({ timestamps, skip, now }: TimeSettings): Promise<FindFirstTime> {
  const rules = await compileRules([{ name: 'every-entry.yaml', text: EVERY_ENTRY }])
  const detector = createDetector(rules, { timestamps, skip, now, readTime: () => NO_TIME })
  return (head, timestamp) => {
    detector.restart(timestamp)
    const time = firstTime(detector, head)
    return time === NO_TIME ? undefined : time
  }
}

function firstTime(detector: Detector, head: Uint8Array): bigint | undefined {
  for (let at = 0; at < head.length; at += PIECE) {
    const [first] = detector.push(head.subarray(at, at + PIECE))
    if (first) return first.hits[0].timestamp
  }
  return detector.end()[0]?.hits[0].timestamp
}
