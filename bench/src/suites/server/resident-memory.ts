import { execFileSync } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'

/** Long enough for the garbage of a start or of a load to be collected. */
const PAUSE_MS = 15_000

/** The current memory of a process, in bytes. */
export function residentMemory(pid: number): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) * 1024
}

/** The memory of a process after 15 idle seconds. */
export async function idleMemory(pid: number): Promise<number> {
  await wait(PAUSE_MS)
  return residentMemory(pid)
}
