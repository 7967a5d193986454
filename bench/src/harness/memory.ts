import { spawn } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type Command, checkStatus } from './command.js'
import { highWaterMark, PEAK_FILE } from './high-water-mark.js'

/** How often another program's high-water mark is read. The mark only rises, so just its last rise can be missed. */
const INTERVAL_MS = 2

/**
 * Runs a command once more and returns its peak memory, in bytes. A program in Node writes it down itself
 * when it ends (probe.ts); of others the kernel's mark is read while they run. `ru_maxrss` would not do: a child
 * begins with the mark of the process that forked it, and that is this one.
 */
export async function peakMemory(command: Command): Promise<number | null> {
  command.before?.()
  const folder = mkdtempSync(join(tmpdir(), 'omen-bench-'))
  const answer = join(folder, 'peak')
  const options = `${process.env.NODE_OPTIONS ?? ''} --import=${new URL('./probe.js', import.meta.url)}`
  const probe = { NODE_OPTIONS: options, [PEAK_FILE]: answer }
  const input = command.input === undefined ? null : openSync(command.input, 'r')
  try {
    const child = spawn(command.program, command.args, {
      env: { ...process.env, ...command.env, ...(command.node ? probe : {}) },
      stdio: [input ?? 'ignore', 'ignore', 'pipe'],
    })
    let complaint = ''
    child.stderr!.on('data', (data) => {
      complaint = `${complaint}${data}`.slice(0, 1000)
    })
    const end = new Promise<[number | null, string | null]>((resolve, reject) => {
      child.on('error', reject)
      child.on('close', (status, signal) => resolve([status, signal]))
    })
    const watched = command.node ? null : await watch(child.pid!, end)
    checkStatus(command, ...(await end), complaint)
    return command.node ? Number(readFileSync(answer, 'utf8')) : watched
  } finally {
    if (input !== null) closeSync(input)
    rmSync(folder, { recursive: true })
  }
}

async function watch(pid: number, end: Promise<unknown>): Promise<number | null> {
  let peak: number | null = null
  let running = true
  const stop = () => {
    running = false
  }
  end.then(stop, stop)
  while (running) {
    peak = highWaterMark(pid) ?? peak
    await wait(INTERVAL_MS)
  }
  return peak
}
