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
/** Polling without a pause would take CPU time from the program that is waited for. */
const PAUSE_MS = 10
/** The module that moves the clock of a program that is started with it. */
export const MOVED_CLOCK = new URL('./moved-clock.mjs', import.meta.url).href

/** Sets the clock in a file, atomically: a program may read it at any moment. */
export function setClockFile(path: string, aheadMs: number): void {
  writeFileSync(`${path}.new`, String(aheadMs))
  renameSync(`${path}.new`, path)
}

/** The output and the exit status of a program. */
export interface Outcome {
  readonly status: number | null
  readonly out: string
  readonly err: string
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>
  /** How far its clock is ahead of the real one. */
  readonly clockAheadMs?: number
  /** A file with how far its clock is ahead of the real one; it may change while the program runs. */
  readonly clockFile?: string
  /** The program that runs it, with its arguments. */
  readonly through?: readonly string[]
}

/** A running service. */
export interface OmenServer {
  /** Without a slash at the end. */
  readonly url: string
  readonly process: ChildProcess
  out(): string
  err(): string
  /** Resolves when its output satisfies the predicate; rejects when it ends before. */
  untilOutput(isEnough: (written: Written) => boolean): Promise<void>
  /** Polls until the condition holds; rejects when the service ends before. */
  until(condition: () => Promise<boolean>): Promise<void>
  /** Sends SIGTERM and waits for the end. */
  stop(): Promise<Outcome>
  /** Sends SIGKILL, like a crash, and waits for the end. */
  kill(): Promise<void>
}

/** A temporary folder in which the built service and its commands run. */
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
    /** Copies an embedded database into a data directory: creating one takes seconds. */
    copyPreparedDatabase: (dataDir: string) => copyPreparedDatabase(join(folder, dataDir)),
    begin,
    /** Runs a command until it ends. */
    run: (args: readonly string[], options: RunOptions = {}): Promise<Outcome> => begin(args, options).ended,
    /** Starts a service on a free port; resolves when it listens. */
    async serve(args: readonly string[], options: RunOptions = {}): Promise<OmenServer> {
      const started = begin(['--port', '0', ...args], options)
      const { process, written, ended } = started
      const listens = () => /^omen-server listens on (http:\S+)\n/m.exec(written.out)?.[1]
      await untilOutput(started, () => listens() !== undefined)
      const url = listens()!
      return {
        url,
        process,
        out: () => started.written.out,
        err: () => started.written.err,
        untilOutput: (isEnough) => untilOutput(started, isEnough),
        until: (condition) => until(started, condition),
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

/** The output of a program so far. */
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
  const [program = '', ...argv] = [...through, process.execPath, ...moved, PROGRAM, ...args]
  const child = spawn(program, argv, {
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

/** The environment without settings of the developer who runs the tests. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^(OMEN_|DATABASE_URL$|NODE_OPTIONS$)/.test(name))
  return Object.fromEntries(kept)
}

/**
 * Resolves when the output of a program satisfies the predicate; rejects when the program ends before.
 *
 * @example
 * await untilOutput(started, ({ err }) => err.includes('is not available'))
 */
export async function untilOutput(started: Started, isEnough: (written: Written) => boolean): Promise<void> {
  const { process, written, ended } = started
  const wasWritten = new Promise<void>((resolve) => {
    const check = () => {
      if (isEnough(written)) resolve()
    }
    process.stdout!.on('data', check)
    process.stderr!.on('data', check)
    check()
  })
  await Promise.race([wasWritten, ended])
  if (!isEnough(written)) await failed(started)
}

/** Polls until the condition holds; rejects when the program ends before. */
export async function until(started: Started, condition: () => Promise<boolean>): Promise<void> {
  let hasEnded = false
  void started.ended.then(() => {
    hasEnded = true
  })
  while (!(await condition())) {
    if (hasEnded) await failed(started)
    await pause(PAUSE_MS)
  }
}

async function failed({ ended }: Started): Promise<never> {
  const { status, err } = await ended
  throw new Error(`omen-server ended with ${status}:\n${err}`)
}
