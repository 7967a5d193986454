import { fstatSync, statSync } from 'node:fs'
import { openInput } from './input.js'

/** The kind of standard input. A closed descriptor counts as `null`: Node opens /dev/null instead. */
export type InputKind = 'terminal' | 'null' | 'pipe' | 'file' | 'device'

/** The kind of standard input, and whether it has data. */
export interface StandardInput {
  readonly kind: InputKind
  /** Waits for the first byte or the end. Nothing is consumed. */
  hasData(): Promise<boolean>
}

const DESCRIPTOR = 0

/** Inspects standard input without reading from it. */
export function inspectStandardInput(): StandardInput {
  return { kind: kindOfInput(), hasData: () => openInput(DESCRIPTOR).hasData() }
}

function kindOfInput(): InputKind {
  try {
    const stats = fstatSync(DESCRIPTOR)
    if (stats.isFile()) return 'file'
    if (stats.isFIFO() || stats.isSocket()) return 'pipe'
    if (stats.isCharacterDevice() && stats.rdev === statSync('/dev/null').rdev) return 'null'
    return process.getBuiltinModule('node:tty').isatty(DESCRIPTOR) ? 'terminal' : 'device'
  } catch {
    return 'null'
  }
}

/** What is read when the command line names nothing. */
export type Choice = 'input' | 'input-with-data' | 'configured' | 'nothing'

/**
 * What is read when the command line names nothing, with and without data sources in the settings.
 *
 * A pipe takes precedence over the settings. But cron passes a pipe that is closed at once, and systemd and containers pass
 * /dev/null: there the settings are meant, so an input without a byte does not count if data sources are configured. If they are
 * not, the empty input is read, and nothing is found. A terminal is never read.
 */
export const CHOICES: Readonly<Record<InputKind, { readonly bare: Choice; readonly configured: Choice }>> = {
  pipe: { bare: 'input', configured: 'input-with-data' },
  file: { bare: 'input', configured: 'input-with-data' },
  device: { bare: 'input', configured: 'input' },
  null: { bare: 'input', configured: 'configured' },
  terminal: { bare: 'nothing', configured: 'configured' },
}
