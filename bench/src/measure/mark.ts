import { readFileSync } from 'node:fs'

/** Names the file for the probe's answer. */
export const PEAK_FILE = 'OMEN_BENCH_PEAK_FILE'

/** The most memory a process has held so far, in bytes; `null` where Linux's `/proc` is missing or the process has ended. */
export function highWaterMark(pid: number | 'self'): number | null {
  try {
    const found = /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
    return found ? Number(found[1]) * 1024 : null
  } catch {
    return null
  }
}
