import type { CompiledRules } from '@omen/engine'
import type { Origin } from '../sources/origin.js'
import type { Source } from '../sources/source.js'
import { createDetectorPool } from './detectors.js'
import type { ScanEvents, ScanSettings } from './events.js'
import type { Pace } from './pace.js'
import { createSourceScanner } from './scan-source.js'

/**
 * Scans sources that come from elsewhere, several at a time: one that is slow holds up none but itself. Each is read no faster
 * than it is matched, so that none is held in memory.
 */
export async function scanSideBySide(
  sources: readonly Source[],
  rules: CompiledRules,
  settings: ScanSettings,
  events: ScanEvents,
  pace: Pace,
  { open, parallel }: Pick<Origin, 'open' | 'parallel'>,
): Promise<void> {
  const detectors = createDetectorPool(rules, settings, parallel)
  const scanner = createSourceScanner(rules, settings, events, pace, { detectors, open })
  let next = 0
  async function scanOn(): Promise<void> {
    for (let index = next++; index < sources.length && !pace.stopped; index = next++) {
      await scanner.scan(index, sources[index]!)
    }
  }
  await Promise.all(Array.from({ length: Math.min(parallel, sources.length) }, scanOn))
}
