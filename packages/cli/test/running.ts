import { type ChildProcess, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach } from 'vitest'
import { program } from './omen.js'

/** Polling without a pause would take CPU time from the program. */
export const PAUSE_MS = 10

export interface RunOptions {
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
}

export interface Ended {
  /** The exit code, or the signal that killed it. */
  readonly status: number | NodeJS.Signals
  readonly out: string
  readonly err: string
}

/** A running program with pipes as its streams. */
export interface Running {
  readonly pid: number
  readonly out: string
  readonly err: string
  /** Resolves when standard output or standard error contains this; rejects if the program ends without it. */
  printed(text: string | RegExp): Promise<void>
  /** Polls until the condition holds; rejects if the program ends first. */
  until(condition: () => boolean): Promise<void>
  /** Resolves like the promise; rejects if the program ends first. */
  during<T>(promise: Promise<T>): Promise<T>
  /** Writes to standard input; resolves when the pipe has accepted everything. */
  write(data: string | Uint8Array): Promise<void>
  /** Ends standard input. */
  endInput(): void
  /** Closes the reading end of standard output. */
  closeOutput(): void
  kill(signal: NodeJS.Signals): void
  readonly ended: Promise<Ended>
}

/** Starts programs, and kills them after each test. */
export function useProcesses() {
  const alive = new Set<ChildProcess>()
  afterEach(() => {
    for (const child of alive) child.kill('SIGKILL')
  })

  function start(command: string, args: readonly string[], options: RunOptions): Running {
    const child = spawn(command, args, { ...options, stdio: 'pipe' })
    alive.add(child)
    void once(child).then(() => alive.delete(child))
    return observe(child)
  }

  return {
    start,
    /** Starts the built tool. */
    omen: (args: readonly string[], options: RunOptions) => start(process.execPath, [program, ...args], options),
  }
}

type Piped = ChildProcess & { readonly stdin: Writable; readonly stdout: Readable; readonly stderr: Readable }

function observe(child: Piped): Running {
  const text = { out: '', err: '' }
  const listeners = new Set<() => void>()
  const collect = (stream: keyof typeof text) => (data: string) => {
    text[stream] += data
    for (const listener of listeners) listener()
  }
  child.stdout.setEncoding('utf8').on('data', collect('out'))
  child.stderr.setEncoding('utf8').on('data', collect('err'))
  // A write to a program that has ended fails; the test sees how it ended.
  child.stdin.on('error', () => {})
  const ended = once(child).then((status) => ({ status, ...text }))
  const has = (wanted: string | RegExp) =>
    Object.values(text).some((output) => (typeof wanted === 'string' ? output.includes(wanted) : wanted.test(output)))
  return {
    pid: child.pid!,
    get out() {
      return text.out
    },
    get err() {
      return text.err
    },
    async printed(wanted) {
      const matched = new Promise<void>((resolve) => {
        const listener = () => {
          if (has(wanted)) resolve()
        }
        listeners.add(listener)
        listener()
      })
      const endedWithout = ended.then((end) => {
        if (!has(wanted)) throw new Error(`It ended without ${wanted}: ${JSON.stringify(end)}`)
      })
      await Promise.race([matched, endedWithout])
    },
    async until(condition) {
      let hasEnded = false
      void ended.then(() => {
        hasEnded = true
      })
      for (;;) {
        const hadEnded = hasEnded
        if (condition()) return
        if (hadEnded) throw new Error(`It ended: ${JSON.stringify(await ended)}`)
        await pause(PAUSE_MS)
      }
    },
    during: (promise) => {
      const end = ended.then((how) => Promise.reject(new Error(`It ended: ${JSON.stringify(how)}`)))
      return Promise.race([promise, end])
    },
    write: (data) => new Promise((resolve) => void child.stdin.write(data, () => resolve())),
    endInput: () => void child.stdin.end(),
    closeOutput: () => void child.stdout.destroy(),
    kill: (signal) => void child.kill(signal),
    ended,
  }
}

function once(child: ChildProcess): Promise<number | NodeJS.Signals> {
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve(code ?? signal!))
  })
}
