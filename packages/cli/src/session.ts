import type { CommonOptions } from './command-line/command.js'
import { localOffset } from './console/clock.js'
import { createLog, type Log } from './console/log.js'
import { type Output, openOutput } from './console/output.js'
import type { Progress } from './console/progress/progress.js'
import { openScreen, type Screen } from './console/screen.js'
import { createWarnings, type PrintWarning } from './console/standard-error.js'
import { Failure } from './failure.js'
import { configurationFolder, type Environment } from './settings/configuration-folder.js'
import { defaultSettings, type LoadedSettings, loadSettings } from './settings/load-settings.js'

/** What every command uses: its output streams, the settings, and the time at which it started. */
export interface Session {
  readonly env: Environment
  readonly now: Date
  /** How the user runs the program: `omen` or `kubectl omen`. */
  readonly programName: string
  readonly stdout: Output
  readonly out: Screen
  readonly err: Screen
  readonly log: Log
  /** Prints `Warning: …` to standard error, each message once. */
  readonly warn: PrintWarning
  readonly loaded: LoadedSettings
  /** Aborted when standard output can no longer be written to. */
  readonly closed: AbortSignal
  /** Why writing to standard output failed. The run continues, so that its report is not lost, and ends with this failure. */
  readonly unwritten: Failure | undefined
  /** Hides live lines while something is written to standard error, which is often the same terminal. */
  shareScreen(progress: Pick<Progress, 'aside'>): void
}

/** Catches Ctrl-C until it is released. */
export type Listen = () => {
  readonly signal: AbortSignal
  /** The exit code after an interruption; undefined before. */
  readonly exitCode: number | undefined
  release(): void
}

/** Which settings a command needs: none, the defaults where the file is invalid, or valid ones. */
export type SettingsNeed = 'none' | 'any' | 'valid'

/** Opens the streams and reads the settings that the command needs. */
export async function openSession(
  { quiet, level }: Pick<CommonOptions, 'quiet' | 'level'>,
  need: SettingsNeed = 'valid',
  programName = 'omen',
): Promise<Session> {
  const { env } = process
  const closing = new AbortController()
  let unwritten: Failure | undefined
  const stdout = openOutput(
    1,
    () => closing.abort(),
    (failure) => {
      unwritten = failure
      closing.abort()
    },
  )
  const out = openScreen(stdout, env)
  let aside = (write: () => void) => write()
  const stderr = openScreen(openOutput(2), env)
  const err: Screen = {
    isTerminal: stderr.isTerminal,
    colours: stderr.colours,
    get columns() {
      return stderr.columns
    },
    write: (text) => aside(() => stderr.write(text)),
  }
  const log = createLog({ level, write: (line) => err.write(line), clock: Date.now, offset: localOffset })
  const warn = createWarnings(err, { quiet })
  const loaded = await readSettings(env, need)
  for (const warning of loaded.warnings) warn(warning)
  return {
    env,
    now: new Date(),
    programName,
    stdout,
    out,
    err,
    log,
    warn,
    loaded,
    closed: closing.signal,
    get unwritten() {
      return unwritten
    },
    shareScreen,
  }

  function shareScreen(progress: Pick<Progress, 'aside'>): void {
    aside = progress.aside
  }
}

async function readSettings(env: Environment, need: SettingsNeed): Promise<LoadedSettings> {
  const folder = configurationFolder(env)
  if (need === 'none') return defaultSettings(folder)
  try {
    return await loadSettings({ folder, env })
  } catch (error) {
    if (need === 'valid' || !(error instanceof Failure)) throw error
    return { ...defaultSettings(folder), warnings: error.message.split('\n') }
  }
}
