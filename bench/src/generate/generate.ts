import { createClock } from './clock.js'
import type { Format } from './families.js'
import { type Event, notableEvent, ordinaryEvent, traceEvent } from './messages.js'
import { createPress, type Group } from './press.js'
import { createRandom, type Random } from './random.js'
import { compileLine } from './template.js'

/** 1 MiB, a common read size of programs that read logs; it also bounds the memory of the generator. */
const CHUNK = 1 << 20
/** Enough different lines for the byte statistics of a real log, few enough to stay in the processor's cache. */
const ORDINARY = 8192
const RARE = 512
/** About one line in 270 contains a string that a rule of the corpus matches. */
const NOTABLE_ONE_IN = 270
const TRACE_ONE_IN = 2000
/** Two milliseconds on average: about 500 lines a second, three quarters of an hour in 400 MB. */
const STEP = 4_000_000

export interface LogPlan {
  readonly seed: number
  /** In bytes. The log ends with the first line that reaches this size. */
  readonly size: number
  readonly format: Format
  /** Replaces the usual mixture of formats. */
  readonly event?: (random: Random) => Event
}

/**
 * Generates a log: the same plan gives the same bytes. The chunks are views of one buffer that the next step overwrites, so
 * that a log of any size takes the same memory: a caller that keeps a chunk must copy it.
 *
 * ```ts
 * for (const chunk of generateLog({ seed: 1, size: 20e6, format: FAMILIES.klog })) writeSync(file, chunk)
 * ```
 */
export function* generateLog(plan: LogPlan): Generator<Uint8Array> {
  const random = createRandom(plan.seed)
  const clock = createClock()
  const groups = makeGroups(plan, random)
  const press = createPress(groups, CHUNK, clock, random)
  const choose = plan.event ? () => random.below(ORDINARY) : () => usualGroup(random)
  for (let left = plan.size; left > 0; ) {
    const full = press.start + Math.min(left, CHUNK)
    let end = press.start
    while (end < full) {
      clock.advance(random.below(STEP))
      end = press.print(choose(), end)
    }
    yield press.page.subarray(press.start, end)
    left -= end - press.start
  }
}

/** Ordinary groups first, then traces, then notable ones: `usualGroup` relies on this order. */
function makeGroups({ format, event }: LogPlan, random: Random): readonly Group[] {
  const groups = (count: number, source: (random: Random) => Event) =>
    Array.from({ length: count }, () => format(source(random), random).map(compileLine))
  if (event) return groups(ORDINARY, event)
  return [...groups(ORDINARY, ordinaryEvent), ...groups(RARE, traceEvent), ...groups(RARE, notableEvent)]
}

function usualGroup(random: Random): number {
  if (random.below(TRACE_ONE_IN) === 0) return ORDINARY + random.below(RARE)
  if (random.below(NOTABLE_ONE_IN) === 0) return ORDINARY + RARE + random.below(RARE)
  return random.below(ORDINARY)
}
