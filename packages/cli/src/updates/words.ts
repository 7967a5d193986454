import { formatAmount } from '../console/text/amounts.js'
import { truncate } from '../console/text/width.js'
import type { Offer } from './offers.js'
import type { Kind } from './update-state.js'

/** What people call them, in the middle of a sentence and at its beginning. */
export const NAMES: Readonly<Record<Kind, string>> = { rules: 'rules', private: 'private rules', tool: 'omen' }

/**
 * An offer as a question, in one line: what is new, how much it is.
 *
 * @example
 * questionFor(offer, 80) // 'Update rules 1.0.0 → 1.4.0 (81.2 kB): Kafka and etcd'
 */
export function questionFor(offer: Offer, columns: number): string {
  const { kind, installed, version, size, notes } = offer
  const from = installed === undefined ? '' : `${installed} → `
  const amount = size === undefined ? '' : ` (${formatAmount(size, 'bytes')})`
  const what = `${installed === undefined ? 'Install' : 'Update'} ${NAMES[kind]} ${from}${version}${amount}`
  // The answer stands in the same line.
  return truncate(notes === undefined ? what : `${what}: ${notes}`, Math.max(20, columns - ROOM_FOR_ANSWER))
}

const ROOM_FOR_ANSWER = 12

/**
 * An offer as a line that says that it exists, and how to take it.
 *
 * @example
 * noticeOf(offer, 'omen updates install') // 'Rules 1.4.0 are available (1.0.0 is installed): omen updates install'
 */
export function noticeOf({ kind, version, installed }: Offer, command: string): string {
  const name = kind === 'tool' ? 'omen' : `${NAMES[kind].charAt(0).toUpperCase()}${NAMES[kind].slice(1)}`
  const here = installed === undefined ? 'none are installed' : `${installed} is installed`
  return `${name} ${version} ${kind === 'tool' ? 'is' : 'are'} available (${here}): ${command}`
}

/** What was done. */
export function doneWith({ kind, version }: Offer, previous: string | undefined): string {
  if (kind !== 'tool') return `Installed ${NAMES[kind]} ${version}`
  return `Installed omen ${version}, for the next run; the one before is ${previous}`
}
