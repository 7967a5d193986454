import type { MatcherSnapshot } from '../match/matcher.js'
import type { CompiledRules } from '../rules/compiled.js'
import type { DeliverySnapshot } from './delivery.js'
import type { ReaderSnapshot } from './reading/reader.js'

/** Thrown for a snapshot from which a detector cannot continue; `code` is the reason. */
export class SnapshotError extends Error {
  override readonly name = 'SnapshotError'
  readonly code: 'snapshot-broken' | 'snapshot-version' | 'snapshot-rules-changed' | 'snapshot-source-changed'

  constructor(code: SnapshotError['code'], message: string) {
    super(message)
    this.code = code
  }
}

/** The whole state of a detector. */
export interface DetectorSnapshot {
  readonly source: string
  /** The time that decides the year of layouts without one. */
  readonly now: string
  /** The number of lines in the files before the current one. */
  readonly linesBefore: number
  readonly reader: ReaderSnapshot
  readonly delivery: DeliverySnapshot
  readonly matcher: MatcherSnapshot
  /** There was a warning about late entries. */
  readonly isLateReported?: boolean
}

/** Increased with every change of the snapshot format. */
const VERSION = 3

interface Sealed extends DetectorSnapshot {
  readonly omen: 'snapshot'
  readonly version: number
  readonly rules: string
}

/** Serializes a snapshot with the fingerprint of its rules. */
export function sealSnapshot(rules: CompiledRules, state: DetectorSnapshot): Uint8Array {
  const sealed: Sealed = { omen: 'snapshot', version: VERSION, rules: rules.fingerprint, ...state }
  return new TextEncoder().encode(JSON.stringify(sealed))
}

/** Reads a snapshot. Throws a SnapshotError if a detector cannot continue from it. */
export function openSnapshot(bytes: Uint8Array, rules: CompiledRules, source: string): DetectorSnapshot {
  const sealed = parse(bytes)
  if (sealed.version !== VERSION) {
    throw new SnapshotError('snapshot-version', `the snapshot has version ${sealed.version}, this engine ${VERSION}`)
  }
  if (sealed.rules !== rules.fingerprint) {
    throw new SnapshotError('snapshot-rules-changed', 'the rules have changed since the snapshot: start without it')
  }
  if (sealed.source !== source) {
    const message = `the snapshot is of source ${sealed.source}, not ${source}`
    throw new SnapshotError('snapshot-source-changed', message)
  }
  return sealed
}

function parse(bytes: Uint8Array): Sealed {
  try {
    const sealed = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    if (sealed?.omen === 'snapshot') return sealed
  } catch {
    // Not JSON: reported below.
  }
  throw new SnapshotError('snapshot-broken', 'this is not a snapshot, or it is incomplete: start without it')
}
