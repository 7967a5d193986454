import { readFileSync } from 'node:fs'

/** The environment variable with the file for the probe's result. */
export const PEAK_FILE = 'OMEN_BENCH_PEAK_FILE'

/** The peak memory of a process so far, in bytes; `null` where Linux's `/proc` is missing or the process has ended. */
export function highWaterMark(pid: number | 'self'): number | null {
  try {
    const found = /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
    return found ? Number(found[1]) * 1024 : null
  } catch {
    return null
  }
}
