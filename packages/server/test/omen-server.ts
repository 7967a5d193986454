import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll } from 'vitest'

/** The service as built. */
export const PROGRAM = fileURLToPath(new URL('../dist/omen-server.js', import.meta.url))
/** What moves the clock of a program that is started with it. */
export const MOVED_CLOCK = new URL('./moved-clock.mjs', import.meta.url).href

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
    begin,
    /** Runs a command to its end. */
    run: (args: readonly string[], options: RunOptions = {}): Promise<Outcome> => begin(args, options).ended,
    /** Starts a service on a free port; resolves when it answers. */
    async serve(args: readonly string[], options: RunOptions = {}): Promise<OmenServer> {
      const started = begin(['--port', '0', ...args], options)
      const url = await urlOf(started)
      const { process, ended } = started
      return {
        url,
        process,
        out: () => started.written.out,
        err: () => started.written.err,
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

interface Started {
  readonly process: ChildProcess
  readonly written: { out: string; err: string }
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

function urlOf({ process: child, written, ended }: Started): Promise<string> {
  return new Promise((resolve, reject) => {
    const look = () => {
      const found = /^omen-server listens on (http:\S+)$/m.exec(written.out)
      if (found) resolve(found[1]!)
    }
    child.stdout!.on('data', look)
    ended.then(({ status, err }) => reject(new Error(`omen-server ended with ${status}:\n${err}`)))
  })
}
