import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll } from 'vitest'
import { copyPreparedDatabase } from './prepared/prepared.js'

/** The service as built. */
export const PROGRAM = fileURLToPath(new URL('../dist/omen-server.js', import.meta.url))
/** Whoever asks all the time takes it from the one who is waited for. */
const PAUSE_MS = 10
/** What moves the clock of a program that is started with it. */
export const MOVED_CLOCK = new URL('./moved-clock.mjs', import.meta.url).href

/** Sets the clock that a file holds, at once: a program may look at it at any moment. */
export function setClockFile(path: string, aheadMs: number): void {
  writeFileSync(`${path}.new`, String(aheadMs))
  renameSync(`${path}.new`, path)
}

/** What a program wrote, and how it ended. */
export interface Outcome {
  readonly status: number | null
  readonly out: string
  readonly err: string
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>
  /** How far its clock stands ahead of the real one. */
  readonly clockAheadMs?: number
  /** Holds how far its clock stands ahead of the real one, at any moment. */
  readonly clockFile?: string
  /** The program that runs it, with its arguments. */
  readonly through?: readonly string[]
}

/** A service that answers. */
export interface OmenServer {
  /** Without a slash at the end. */
  readonly url: string
  readonly process: ChildProcess
  out(): string
  err(): string
  /** Resolves when what it has written is enough; rejects when it ends without that. */
  said(isEnough: (written: Written) => boolean): Promise<void>
  /** Asks until it is so; rejects when the service ends before. */
  until(isSo: () => Promise<boolean>): Promise<void>
  /** Sends SIGTERM and waits for the end. */
  stop(): Promise<Outcome>
  /** Ends it as a crash would, and waits until it is gone. */
  kill(): Promise<void>
}

/** A folder with a service and its commands in it, as built. */
export function useOmen() {
  let folder = ''
  const running = new Set<Started>()
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'omen-server-'))
  })
  afterAll(async () => {
    for (const { process, ended } of running) {
      process.kill('SIGKILL')
      await ended
    }
    rmSync(folder, { recursive: true, force: true })
  })
  const begin = (args: readonly string[], options: RunOptions): Started => {
    const started = start(args, folder, options)
    running.add(started)
    started.ended.then(() => running.delete(started))
    return started
  }
  return {
    path: (name: string) => join(folder, name),
    /** Puts an embedded database into a data directory, which its first use would take seconds to make. */
    copyPreparedDatabase: (dataDir: string) => copyPreparedDatabase(join(folder, dataDir)),
    begin,
    /** Runs a command to its end. */
    run: (args: readonly string[], options: RunOptions = {}): Promise<Outcome> => begin(args, options).ended,
    /** Starts a service on a free port; resolves when it answers. */
    async serve(args: readonly string[], options: RunOptions = {}): Promise<OmenServer> {
      const started = begin(['--port', '0', ...args], options)
      const { process, written, ended } = started
      const listens = () => /^omen-server listens on (http:\S+)\n/m.exec(written.out)?.[1]
      await said(started, () => listens() !== undefined)
      const url = listens()!
      return {
        url,
        process,
        out: () => started.written.out,
        err: () => started.written.err,
        said: (isEnough) => said(started, isEnough),
        until: (isSo) => until(started, isSo),
        stop() {
          process.kill('SIGTERM')
          return ended
        },
        async kill() {
          process.kill('SIGKILL')
          await ended
        },
      }
    },
  }
}

/** What a program has written so far. */
export type Written = Readonly<Pick<Outcome, 'out' | 'err'>>

/** A program that was started. */
export interface Started {
  readonly process: ChildProcess
  readonly written: Written
  readonly ended: Promise<Outcome>
}

function start(args: readonly string[], folder: string, options: RunOptions): Started {
  const { env = {}, clockAheadMs = 0, clockFile, through = [] } = options
  const moved = clockAheadMs === 0 && clockFile === undefined ? [] : ['--import', MOVED_CLOCK]
  const clock = { TEST_CLOCK_AHEAD_MS: String(clockAheadMs), ...(clockFile && { TEST_CLOCK_FILE: clockFile }) }
  const [program = '', ...words] = [...through, process.execPath, ...moved, PROGRAM, ...args]
  const child = spawn(program, words, {
    cwd: folder,
    env: { ...cleanEnvironment(), ...clock, TZ: 'UTC', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const written = { out: '', err: '' }
  child.stdout!.setEncoding('utf8').on('data', (text: string) => {
    written.out += text
  })
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    written.err += text
  })
  const ended = new Promise<Outcome>((resolve) => child.once('close', (status) => resolve({ status, ...written })))
  return { process: child, written, ended }
}

/** Settings of whoever runs the tests are not those of the tests. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^(OMEN_|DATABASE_URL$|NODE_OPTIONS$)/.test(name))
  return Object.fromEntries(kept)
}

/**
 * Resolves when what a program has written is enough; rejects when it ends without that.
 *
 * @example
 * await said(started, ({ err }) => err.includes('does not answer'))
 */
export async function said(started: Started, isEnough: (written: Written) => boolean): Promise<void> {
  const { process, written, ended } = started
  const heard = new Promise<void>((resolve) => {
    const look = () => {
      if (isEnough(written)) resolve()
    }
    process.stdout!.on('data', look)
    process.stderr!.on('data', look)
    look()
  })
  await Promise.race([heard, ended])
  if (!isEnough(written)) await failed(started)
}

/** Asks until it is so; rejects when the program ends before. */
export async function until(started: Started, isSo: () => Promise<boolean>): Promise<void> {
  let hasEnded = false
  void started.ended.then(() => {
    hasEnded = true
  })
  while (!(await isSo())) {
    if (hasEnded) await failed(started)
    await pause(PAUSE_MS)
  }
}

async function failed({ ended }: Started): Promise<never> {
  const { status, err } = await ended
  throw new Error(`omen-server ended with ${status}:\n${err}`)
}
