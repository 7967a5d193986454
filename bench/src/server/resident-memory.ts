import { execFileSync } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'

/** Long enough for what a start or a load leaves behind to be collected. */
const PAUSE_MS = 15_000

/** The memory that a process holds at the moment, in bytes. */
export function residentMemory(pid: number): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) * 1024
}

/** The memory of a process that has been left alone for a while. */
export async function idleMemory(pid: number): Promise<number> {
  await wait(PAUSE_MS)
  return residentMemory(pid)
}
