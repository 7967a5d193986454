import type { Clock } from '../follow-options.js'
import type { FollowedFile } from '../followed-file.js'
import type { FollowedFiles } from '../followed-files.js'
import { saveFile, savePosition } from './saved-file.js'
import type { StateFile } from './state-file.js'

export interface SaverOptions {
  readonly state: StateFile
  /** The fingerprint of the rules. */
  readonly rules: string
  readonly files: FollowedFiles
  readonly outbox: () => unknown
  readonly clock: Clock
  readonly problem: (message: string) => void
  readonly warn: (message: string) => void
}

/** Writes the state file: regularly, and at the end. */
export interface Saver {
  /** Saves if something has changed and the last time is long enough ago. A failure is reported once; saving is tried again. */
  saveIfDue(): Promise<void>
  /** Saves at the end. Rejects if that fails. */
  save(): Promise<void>
}

/** After a crash at most this many milliseconds are reported again. */
const INTERVAL = 1000

/** A large state is saved less often: for at most a twentieth of the time. */
const SHARE = 20

/** What was saved for a name that is no longer followed is dropped after thirty days. */
const KEPT = 30 * 24 * 60 * 60 * 1000

export function createSaver({ state, rules, files, outbox, clock, problem, warn }: SaverOptions): Saver {
  let savedAt = clock.elapsed()
  let interval = INTERVAL
  let lastOutbox = JSON.stringify(state.saved?.outbox)
  let lastReported: string | undefined
  const all = () => files.groups.flatMap((group) => [...group.files.values()])

  async function write(): Promise<void> {
    const start = clock.elapsed()
    const undelivered = outbox()
    const followed = all()
    for (const file of followed) if (file.isDirty) file.savedText = textOf(file)
    const oldest = clock.now() - KEPT
    const unclaimed = files.unclaimed().filter(({ seen }) => seen >= oldest)
    await state.write({
      rules,
      files: [
        ...followed.flatMap(({ savedText }) => savedText ?? []),
        ...unclaimed.map((file) => JSON.stringify(file)),
      ],
      left: files.groups.flatMap(({ name, finished }) =>
        [...finished.values()].map((position) => ({ group: name, mark: savePosition(position) })),
      ),
      outbox: undelivered,
    })
    for (const file of followed) file.isDirty = false
    lastOutbox = JSON.stringify(undelivered)
    savedAt = clock.elapsed()
    interval = Math.max(INTERVAL, SHARE * (savedAt - start))
  }

  /** What cannot be saved stays as it was saved last: detections are then reported again rather than lost. */
  function textOf(followed: FollowedFile): string | undefined {
    try {
      return saveFile(followed, clock.now())
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      warn(`${followed.path}: the state of its rules is too large to be saved`)
      return followed.savedText
    }
  }

  return {
    async saveIfDue() {
      if (clock.elapsed() - savedAt < interval) return
      if (!all().some(({ isDirty }) => isDirty) && JSON.stringify(outbox()) === lastOutbox) return
      try {
        await write()
        lastReported = undefined
      } catch (error) {
        const { message } = error as Error
        if (message !== lastReported) problem(`${message}; trying again until it works`)
        lastReported = message
        savedAt = clock.elapsed()
      }
    },
    save: write,
  }
}
