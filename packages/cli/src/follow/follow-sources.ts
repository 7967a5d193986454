import { resolve } from 'node:path'
import type { Source, SourceFile } from '../sources/source.js'
import { createDetectors } from './detectors.js'
import { createExpansion } from './expansion.js'
import { statName, statOpen } from './file-stat.js'
import type { FollowedAmount, FollowOptions, FollowOutcome, Found } from './follow-options.js'
import type { FollowContext, FollowedFile } from './followed-file.js'
import { createFollowedFiles } from './followed-files.js'
import type { Matching } from './matching.js'
import { QUIET } from './poll.js'
import { addAmounts, NOTHING_READ } from './read-amount.js'
import { closeSuccessor, release } from './read-file.js'
import { createResourceLimits, createRounds, flushQuiet } from './rounds.js'
import { createSaver } from './saved/saver.js'
import { createStreams } from './streams.js'

export {
  type Clock,
  type FollowedAmount,
  type FollowOptions,
  type FollowOutcome,
  type Found,
  systemClock,
} from './follow-options.js'
export { openStateFile, type StateFile } from './saved/state-file.js'

/** How often names are polled: soon enough for a person who watches. */
const POLL = 250

/** A name that no glob matches any more is dropped when it has led to nothing for this long. */
const DROPPED_AFTER = 10_000

/**
 * Follows files as `tail -F` does, and standard input as it arrives, and reports what the rules find in them, until the signal
 * aborts or nothing more can come. With `once`, reads what has come since the state was saved.
 *
 * @example
 * await followSources({ sources, rules, detector: {}, found: (source, detections) => show(detections), onProblem: warn,
 *   onWarning: warn, once: false, signal, clock: systemClock })
 */
export async function followSources(options: FollowOptions): Promise<FollowOutcome> {
  const failed = new AbortController()
  const signal = AbortSignal.any([options.signal, failed.signal])
  const following = prepareFollowing({ ...options, signal }, (error) => failed.abort(error))
  try {
    await following.run()
    failed.signal.throwIfAborted()
    await following.finish()
    return following.outcome()
  } finally {
    following.close()
  }
}

interface Following {
  /** Reads until the signal aborts or nothing more can come. */
  run(): Promise<void>
  /** Saves the state, or reports what is pending. */
  finish(): Promise<void>
  outcome(): FollowOutcome
  close(): void
}

/** `fail` is called when a stream fails, which is read concurrently. */
function prepareFollowing(options: FollowOptions, fail: (error: unknown) => void): Following {
  const { clock, signal, once, state, origin, onProblem: problem, onWarning: warn } = options
  const limits = createResourceLimits()
  const context: FollowContext = { clock, signal, once, problem, warn, use: limits.use }
  const detectors = createDetectors(options)
  const found = oneAfterTheOther(options.found)
  const alarm = createAlarm()
  const { standardInput = 0, outbox = () => state?.saved?.outbox, rules } = options
  const files = createFollowedFiles({
    detectors,
    rules,
    clock,
    saved: state?.saved,
    saves: state !== undefined,
    found,
    warn,
  })
  const streams = createStreams({ context, detectors, found, standardInput, origin, onEnd: alarm.ring, fail })
  const saver = state && createSaver({ state, rules: rules.fingerprint, files, outbox, clock, problem, warn })
  const save = async () => saver?.saveIfDue()
  const rounds = createRounds(context, limits, save)
  const expansion = createExpansion(options, add, keepOnly)
  const dropped: Counted[] = []
  let followed: FollowedFile[] = []

  async function add(source: Source): Promise<void> {
    const isStream = ({ path }: SourceFile) => origin !== undefined || path === '-' || statName(path)?.kind === 'stream'
    for (const file of source.files.filter(isStream)) {
      const isNew = streams.add(source, file)
      if (isNew && state) warn(`${source.name}: --state saves nothing for data from a pipe`)
    }
    followed.push(
      ...(await files.add(
        source,
        source.files.filter((file) => !isStream(file)),
      )),
    )
  }

  /** Drops names that lead to nothing and are not among these. */
  async function keepOnly(listed: ReadonlySet<string>): Promise<void> {
    const longAgo = clock.elapsed() - DROPPED_AFTER
    for (const file of followed) {
      file.isExpected = listed.has(resolve(file.path))
      if (file.isExpected || file.stat || file.lastSeenAt > longAgo || holdsDeleted(file)) continue
      if (!state) await file.matching.end()
      closeAll(file)
      files.remove(file)
      const { source, matching } = file
      dropped.push({ source, matching: { amount: matching.amount } })
    }
    followed = followed.filter(({ group, path }) => group.files.has(resolve(path)))
  }

  const count = () => addUp(options.sources, [...followed, ...dropped, ...streams.all])

  /** Files can always grow, and globs can match more; only streams and compressed files end. */
  const isOver = () => {
    const canGetMore = options.expand !== undefined && followed.length + dropped.length > 0
    const canGrow = origin?.isOpenEnded || canGetMore || followed.some(({ position }) => !position?.isComplete)
    return streams.isOver && (once || !canGrow)
  }

  return {
    async run() {
      for (const source of options.sources) await add(source)
      while (!signal.aborted) {
        const outcome = await rounds.readAll(followed)
        if (outcome !== 'idle' || !streams.isOver) options.onProgress?.(count())
        if (outcome === 'more') continue
        if (isOver()) break
        await streams.flushAfter(QUIET)
        await save()
        if (!once) await expansion.expandIfDue()
        await Promise.race([clock.wait(POLL, signal), alarm.next()])
      }
      await streams.done()
    },
    async finish() {
      if (once && !signal.aborted) await flushQuiet(followed, context)
      if (saver) await saver.save()
      else for (const { matching } of followed) await matching.end()
    },
    outcome: () => ({ ...count(), isInterrupted: signal.aborted }),
    close: () => followed.forEach(closeAll),
  }
}

/** Whether the file was deleted, and more may still come in it. */
function holdsDeleted({ file }: FollowedFile): boolean {
  return file !== undefined && statOpen(file).links === 0
}

function closeAll(followed: FollowedFile): void {
  release(followed)
  closeSuccessor(followed)
}

/** Reports what is found in several files at once one after the other. */
function oneAfterTheOther(found: Found): Found {
  let last: Promise<void> = Promise.resolve()
  return (...args) => {
    last = last.then(() => found(...args))
    return last
  }
}

/** Ends the wait for the next round. */
function createAlarm() {
  let ring = () => {}
  return {
    ring: () => ring(),
    next: () =>
      new Promise<void>((resolve) => {
        ring = resolve
      }),
  }
}

/** How much was read of a source. */
interface Counted {
  readonly source: Source
  readonly matching: Pick<Matching, 'amount'>
}

/** Adds up what was read, in total and for each source. */
function addUp(sources: readonly Source[], amounts: readonly Counted[]): FollowedAmount {
  const sums = new Map(sources.map((source) => [source, NOTHING_READ]))
  for (const { source, matching } of amounts) {
    sums.set(source, addAmounts(sums.get(source) ?? NOTHING_READ, matching.amount))
  }
  const { bytes, lines } = [...sums.values()].reduce(addAmounts, NOTHING_READ)
  return { bytes, lines, sources: [...sums].map(([source, amount]) => ({ source, amount })) }
}
