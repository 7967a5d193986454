import type { Detection } from '@omen/engine'
import { formatCount } from '../console/text/amounts.js'

/** An input that stays open this long, in milliseconds, may be a log that somebody follows. */
const PERIOD = 3000

/** A program that writes everything it has, such as `zcat`, writes more than this in a period. */
const MOST_FOLLOWED = 1024 * 1024

/** Calls a function regularly until the returned function is called. */
export type Repeat = (milliseconds: number, call: () => void) => () => void

/** Notices that standard input is a log that is being followed. */
export interface OpenInput {
  /** This many bytes have arrived. */
  advanced(taken: number): void
  /** This many problems were found. */
  found(problems: number): void
  /** What would be found if the input ended now, if nothing was found yet. */
  started(preview: () => readonly Pick<Detection, 'cre'>[]): void
  stop(): void
}

/**
 * Gives a hint, once, when problems were found and little has arrived on standard input for three seconds, but it is still open:
 * `tail -f app.log | omen` prints nothing before its end.
 *
 * @example
 * const input = watchOpenInput({ repeat: startRepeating, hint: (problems) => err.write(describeOpenInput(problems, 'omen')) })
 */
export function watchOpenInput({
  repeat,
  hint,
}: {
  readonly repeat: Repeat
  readonly hint: (problems: number) => void
}): OpenInput {
  let taken = 0
  let takenBefore = 0
  let problems = 0
  let preview: () => readonly Pick<Detection, 'cre'>[] = () => []
  const stop = repeat(PERIOD, () => {
    const isSlow = taken - takenBefore < MOST_FOLLOWED
    takenBefore = taken
    if (!isSlow) return
    // The ten lines of tail are too few to decide on their format, so nothing is matched yet.
    const found = problems || new Set(preview().map(({ cre }) => cre.id)).size
    if (found === 0) return
    stop()
    hint(found)
  })
  return {
    advanced(bytes) {
      taken = bytes
    },
    found(count) {
      problems = count
    },
    started(look) {
      preview = look
    },
    stop: () => stop(),
  }
}

/**
 * The hint: problems are printed when the input ends.
 *
 * @example
 * describeOpenInput(2, 'omen')
 * // 'Hint: 2 problems so far. They are printed when standard input ends, or after Ctrl-C; with omen -f, as they are found.'
 */
export function describeOpenInput(problems: number, programName: string): string {
  const them = problems === 1 ? 'It is' : 'They are'
  const found = problems === 1 ? 'it is found' : 'they are found'
  return `Hint: ${formatCount(problems, 'problem')} so far. ${them} printed when standard input ends, or after Ctrl-C; with ${programName} -f, as soon as ${found}.\n`
}
