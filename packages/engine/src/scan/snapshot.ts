import type { MatcherSnapshot } from '../match/matcher.js'
import type { CompiledRules } from '../rules/compiled.js'
import type { DeliverySnapshot } from './delivery.js'
import type { ReaderSnapshot } from './reading/reader.js'

/** Raised for a snapshot that cannot be gone on from; `code` says why. */
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
  /** The time that decided layouts without a year. */
  readonly now: string
  /** Lines of the files before the one that is being read. */
  readonly linesBefore: number
  readonly reader: ReaderSnapshot
  readonly delivery: DeliverySnapshot
  readonly matcher: MatcherSnapshot
}

/** Raised by one with every change of the shape of a snapshot. */
const VERSION = 2

interface Sealed extends DetectorSnapshot {
  readonly omen: 'snapshot'
  readonly version: number
  readonly rules: string
}

/** Writes a snapshot down, tied to the rules that it was made with. */
export function sealSnapshot(rules: CompiledRules, state: DetectorSnapshot): Uint8Array {
  const sealed: Sealed = { omen: 'snapshot', version: VERSION, rules: rules.fingerprint, ...state }
  return new TextEncoder().encode(JSON.stringify(sealed))
}

/** Reads a snapshot, or says why it cannot be gone on from. */
export function openSnapshot(bytes: Uint8Array, rules: CompiledRules, source: string): DetectorSnapshot {
  const sealed = parse(bytes)
  if (sealed.version !== VERSION) {
    throw new SnapshotError('snapshot-version', `the snapshot has version ${sealed.version}, this engine ${VERSION}`)
  }
  if (sealed.rules !== rules.fingerprint) {
    throw new SnapshotError('snapshot-rules-changed', 'the rules have changed since the snapshot: start anew')
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
    // Said below: what is not JSON is no snapshot either.
  }
  throw new SnapshotError('snapshot-broken', 'this is not a snapshot, or not a whole one: start anew')
}
