import { fstatSync, statSync } from 'node:fs'
import { openInput } from './input.js'

/** What standard input is. A descriptor that is closed counts as `null`: Node opens /dev/null in its place. */
export type InputKind = 'terminal' | 'null' | 'pipe' | 'file' | 'device'

/** What standard input is, and whether anything comes from it. */
export interface StandardInput {
  readonly kind: InputKind
  /** Waits for the first byte or the end; nothing is lost by it. */
  hasData(): Promise<boolean>
}

const DESCRIPTOR = 0

/** Looks at standard input without reading from it. */
export function lookAtStandardInput(): StandardInput {
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
 * What is piped in goes before the settings. But cron hands over a pipe that is closed at once, systemd and containers
 * /dev/null, and they mean the settings: so an input without a byte does not count where data sources are configured. Where
 * they are not, an empty input is read, and nothing is found. On a terminal nobody wants to type a log.
 */
export const CHOICES: Readonly<Record<InputKind, { readonly bare: Choice; readonly configured: Choice }>> = {
  pipe: { bare: 'input', configured: 'input-with-data' },
  file: { bare: 'input', configured: 'input-with-data' },
  device: { bare: 'input', configured: 'input' },
  null: { bare: 'input', configured: 'configured' },
  terminal: { bare: 'nothing', configured: 'configured' },
}
