import { spawnSync } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'

/** A whole process to be measured. */
export interface Command {
  readonly name: string
  readonly program: string
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** A file for standard input; without it there is none. */
  readonly input?: string
  /** Exit codes of a run that did its work; 0 when absent. */
  readonly accepts?: readonly number[]
  /** A program that Node runs: the probe can be loaded into it. */
  readonly node?: true
  /** Called before each run, outside the measured time. */
  readonly before?: () => void
}

/** A program with a longer output does something else than what is measured. */
const OUTPUT_LIMIT = 1 << 24

export interface Run {
  readonly seconds: number
  readonly output: string
}

/** Runs a command to its end and takes the time from start to exit. Throws when it fails. */
export function run(command: Command): Run {
  command.before?.()
  const input = command.input === undefined ? null : openSync(command.input, 'r')
  try {
    const start = process.hrtime.bigint()
    const child = spawnSync(command.program, command.args, {
      env: { ...process.env, ...command.env },
      stdio: [input ?? 'ignore', 'pipe', 'pipe'],
      maxBuffer: OUTPUT_LIMIT,
    })
    const seconds = Number(process.hrtime.bigint() - start) / 1e9
    if (child.error) throw new Error(`${command.name} did not run: ${child.error.message}`)
    checkStatus(command, child.status, child.signal, String(child.stderr))
    return { seconds, output: String(child.stdout) }
  } finally {
    if (input !== null) closeSync(input)
  }
}

export function checkStatus(command: Command, status: number | null, signal: string | null, complaint: string): void {
  if (status !== null && (command.accepts ?? [0]).includes(status)) return
  const end = status === null ? `was ended by ${signal}` : `exited with ${status}`
  throw new Error(`${command.name} ${end}: ${complaint.trim().slice(0, 500)}`)
}
