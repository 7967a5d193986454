import { createLog } from '../src/console/log.js'
import type { Screen } from '../src/console/screen.js'
import { createWarnings } from '../src/console/standard-error.js'
import type { Session } from '../src/session.js'
import { loadSettings } from '../src/settings/load-settings.js'

/** A session of the tool with a configuration directory, and its output. */
export async function openTestSession(
  folder: string,
  { isTerminal = false, now = new Date('2026-03-01T12:00:00Z') } = {},
): Promise<{ readonly session: Session; readonly written: { out: string; err: string } }> {
  const written = { out: '', err: '' }
  const screen = (stream: 'out' | 'err'): Screen => ({
    isTerminal,
    colours: false,
    columns: 80,
    write(text) {
      written[stream] += text
    },
  })
  const err = screen('err')
  const session: Session = {
    programName: 'omen',
    env: {},
    now,
    stdout: { isTTY: isTerminal, columns: 80, rows: 24, closed: false, write: () => {} },
    out: screen('out'),
    err,
    log: createLog({ level: undefined, write: (line) => err.write(line), clock: () => 0, offset: () => 0 }),
    warn: createWarnings(err, { quiet: false }),
    loaded: await loadSettings({ folder, env: { HOME: folder } }),
    closed: new AbortController().signal,
    unwritten: undefined,
    shareScreen: () => {},
  }
  return { session, written }
}
