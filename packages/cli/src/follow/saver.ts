import type { Clock } from './clock.js'
import type { Trails } from './open-trails.js'
import { saveMark, saveTrail } from './saved-trail.js'
import type { StateFile } from './state-file.js'
import type { Trail } from './trail.js'

export interface SaverOptions {
  readonly state: StateFile
  readonly rules: string
  readonly trails: Trails
  readonly outbox: () => unknown
  readonly clock: Clock
  readonly problem: (message: string) => void
  readonly warn: (message: string) => void
}

/** Writes the state down: now and then, and at the end. */
export interface Saver {
  /** Saves when something has changed and the last time is long enough ago. A failure is told once, and tried again. */
  saveIfDue(): Promise<void>
  /** Saves at the end. Rejects when that fails. */
  save(): Promise<void>
}

/** After a crash at most this much is told again. */
const INTERVAL = 1000

/** A large state is saved less often: for a twentieth of the time at most. */
const SHARE = 20

/** What is known of a name that nobody asks for any more is dropped after this long: thirty days. */
const KEPT = 30 * 24 * 60 * 60 * 1000

export function createSaver({ state, rules, trails, outbox, clock, problem, warn }: SaverOptions): Saver {
  let savedAt = clock.elapsed()
  let interval = INTERVAL
  let lastOutbox = JSON.stringify(state.saved?.outbox)
  let told: string | undefined
  const all = () => trails.groups.flatMap((group) => [...group.trails.values()])

  async function write(): Promise<void> {
    const start = clock.elapsed()
    const kept = outbox()
    const followed = all()
    for (const trail of followed) if (trail.isDirty) trail.savedText = textOf(trail)
    const oldest = clock.now() - KEPT
    const unclaimed = trails.unclaimed().filter(({ seen }) => seen >= oldest)
    await state.write({
      rules,
      files: [
        ...followed.flatMap(({ savedText }) => savedText ?? []),
        ...unclaimed.map((file) => JSON.stringify(file)),
      ],
      left: trails.groups.flatMap(({ name, left }) =>
        [...left.values()].map((mark) => ({ group: name, mark: saveMark(mark) })),
      ),
      outbox: kept,
    })
    for (const trail of followed) trail.isDirty = false
    lastOutbox = JSON.stringify(kept)
    savedAt = clock.elapsed()
    interval = Math.max(INTERVAL, SHARE * (savedAt - start))
  }

  /** What cannot be written down stays as it was saved last: it is then told again rather than lost. */
  function textOf(trail: Trail): string | undefined {
    try {
      return saveTrail(trail, clock.now())
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      warn(`${trail.path}: what its rules hold is too large to be saved`)
      return trail.savedText
    }
  }

  return {
    async saveIfDue() {
      if (clock.elapsed() - savedAt < interval) return
      if (!all().some(({ isDirty }) => isDirty) && JSON.stringify(outbox()) === lastOutbox) return
      try {
        await write()
        told = undefined
      } catch (error) {
        const { message } = error as Error
        if (message !== told) problem(`${message}; tried again until it works`)
        told = message
        savedAt = clock.elapsed()
      }
    },
    save: write,
  }
}
