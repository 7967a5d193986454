import { resolve } from 'node:path'
import type { Source, SourceFile } from '../sources/source.js'
import { addUp, type Counted } from './amounts.js'
import { createDetectors } from './detectors.js'
import { createExpansion } from './expansion.js'
import type { FollowOptions, FollowOutcome } from './follow-options.js'
import { createKeeper } from './keeper.js'
import { lookAt, lookAtOpen } from './look.js'
import { openTrails } from './open-trails.js'
import { QUIET } from './poll.js'
import { dropNext, release } from './read-on.js'
import { createRounds, flushQuiet } from './rounds.js'
import { createSaver } from './saver.js'
import { createStreams } from './streams.js'
import type { FollowContext, Found, Trail } from './trail.js'

/** How often names are looked at: soon enough for a person who watches. */
const POLL = 250

/** A name that no glob gives any more is let go when nothing has stood under it for this long. */
const FORGOTTEN = 10_000

/** A run of following. */
export interface Following {
  /** Reads until the signal aborts or nothing more can come. */
  run(): Promise<void>
  /** Saves the state, or tells what is pending. */
  finish(): Promise<void>
  outcome(): FollowOutcome
  close(): void
}

/** Makes everything that a run needs. `fail` is called when what runs beside it fails. */
export function prepareFollowing(options: FollowOptions, fail: (error: unknown) => void): Following {
  const { clock, signal, once, state, onProblem: problem, onWarning: warn } = options
  const keeper = createKeeper()
  const context: FollowContext = { clock, signal, once, problem, warn, use: keeper.use }
  const detectors = createDetectors(options)
  const found = oneAfterTheOther(options.found)
  const alarm = createAlarm()
  const trails = openTrails({
    detectors,
    rules: options.rules,
    clock,
    saved: state?.saved,
    saves: state !== undefined,
    found,
    warn,
  })
  const { standardInput = 0, outbox = () => state?.saved?.outbox } = options
  const { origin } = options
  const streams = createStreams({ context, detectors, found, standardInput, origin, onEnd: alarm.ring, fail })
  const { fingerprint: rules } = options.rules
  const saver = state && createSaver({ state, rules, trails, outbox, clock, problem, warn })
  const save = async () => saver?.saveIfDue()
  const rounds = createRounds(context, keeper, save)
  const expansion = createExpansion(options, add, keepOnly)
  const released: Counted[] = []
  let followed: Trail[] = []

  async function add(source: Source): Promise<void> {
    const isStream = ({ path }: SourceFile) => origin !== undefined || path === '-' || lookAt(path)?.kind === 'stream'
    for (const file of source.files.filter(isStream)) {
      const isNew = streams.add(source, file)
      if (isNew && state) warn(`${source.name}: --state keeps nothing of what comes through a pipe`)
    }
    const files = source.files.filter((file) => !isStream(file))
    followed.push(...(await trails.add(source, files)))
  }

  /** Lets names go that nothing stands under, and that are not among these. */
  async function keepOnly(listed: ReadonlySet<string>): Promise<void> {
    const longAgo = clock.elapsed() - FORGOTTEN
    for (const trail of followed) {
      trail.isAwaited = listed.has(resolve(trail.path))
      if (trail.isAwaited || trail.look || trail.thereAt > longAgo || holdsDeleted(trail)) continue
      if (!state) await trail.matching.end()
      closeAll(trail)
      trails.remove(trail)
      const { bytes, lines } = trail.matching
      released.push({ source: trail.source, matching: { bytes, lines } })
    }
    followed = followed.filter(({ group, path }) => group.trails.has(resolve(path)))
  }

  const count = () => {
    return addUp(options.sources, [...followed, ...released, ...streams.all])
  }

  /** Files can always grow, and where there were some there may be more; only streams and compressed files end. */
  const isOver = () => {
    const canGetMore = options.expand !== undefined && followed.length + released.length > 0
    const canGrow = origin?.isOpenEnded || canGetMore || followed.some(({ mark }) => !mark?.isComplete)
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
      else for (const trail of followed) await trail.matching.end()
    },
    outcome: () => ({ ...count(), isInterrupted: signal.aborted }),
    close: () => followed.forEach(closeAll),
  }
}

/** Whether the file was deleted, and it is not sure yet that nothing more comes in it. */
function holdsDeleted({ file }: Trail): boolean {
  return file !== undefined && lookAtOpen(file).links === 0
}

function closeAll(trail: Trail): void {
  release(trail)
  dropNext(trail)
}

/** What is found in several places at once is told one after the other. */
function oneAfterTheOther(found: Found): Found {
  let last: Promise<void> = Promise.resolve()
  return (...args) => {
    last = last.then(() => found(...args))
    return last
  }
}

/** Wakes up who waits for the next round. */
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
