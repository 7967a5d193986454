import { formatAmount } from '../console/text/amounts.js'
import { truncate } from '../console/text/width.js'
import type { Offer } from './offers.js'
import type { Kind } from './update-state.js'

/** The names of the kinds in messages. */
export const NAMES: Readonly<Record<Kind, string>> = { rules: 'rules', private: 'private rules', tool: 'omen' }

/**
 * The question for an offer, in one line: its version, its size and its notes.
 *
 * @example
 * questionFor(offer, 80) // 'Update rules 1.0.0 → 1.4.0 (81.2 kB): Kafka and etcd'
 */
export function questionFor(offer: Offer, columns: number): string {
  const { kind, installed, version, size, notes } = offer
  const from = installed === undefined ? '' : `${installed} → `
  const amount = size === undefined ? '' : ` (${formatAmount(size, 'bytes')})`
  const what = `${installed === undefined ? 'Install' : 'Update'} ${NAMES[kind]} ${from}${version}${amount}`
  // The user answers in the same line.
  return truncate(notes === undefined ? what : `${what}: ${notes}`, Math.max(20, columns - COLUMNS_FOR_ANSWER))
}

const COLUMNS_FOR_ANSWER = 12

/**
 * The line that says that an update is available, and how to install it.
 *
 * @example
 * noticeFor(offer, 'omen updates install') // 'Rules 1.4.0 are available (1.0.0 is installed): omen updates install'
 */
export function noticeFor({ kind, version, installed }: Offer, command: string): string {
  const name = kind === 'tool' ? 'omen' : `${NAMES[kind].charAt(0).toUpperCase()}${NAMES[kind].slice(1)}`
  const current = installed === undefined ? 'none are installed' : `${installed} is installed`
  return `${name} ${version} ${kind === 'tool' ? 'is' : 'are'} available (${current}): ${command}`
}

/** The line after an installation. */
export function installedMessage({ kind, version }: Offer, previous: string | undefined): string {
  if (kind !== 'tool') return `Installed ${NAMES[kind]} ${version}`
  return `Installed omen ${version} for the next run; the previous version is ${previous}`
}
