import { type BigIntStats, closeSync, constants, fstatSync, openSync, readSync, statSync } from 'node:fs'
import type { Clock } from './follow-options.js'

/** What a name leads to, after symbolic links; undefined for nothing. */
export type FileStat = FoundStat | StatError | undefined

export interface FoundStat {
  readonly kind: 'file' | 'folder' | 'stream'
  /** Device and inode: the same for all names of a file. */
  readonly key: string
  readonly size: number
  /** Nanoseconds since 1970. */
  readonly modified: bigint
  /** The number of its names; 0 once it is deleted. */
  readonly links: number
}

export interface StatError {
  readonly kind: 'unreadable'
  readonly error: unknown
}

/** No file, no folder that it could be in, or the file server has lost it. */
const GONE: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR', 'ESTALE'])

export function statName(path: string): FileStat {
  try {
    const stats = statSync(path, { bigint: true, throwIfNoEntry: false })
    return stats && convert(stats)
  } catch (error) {
    return isGone(error) ? undefined : { kind: 'unreadable', error }
  }
}

export function statOpen(file: number): FoundStat {
  return convert(fstatSync(file, { bigint: true }))
}

/** Whether an error says that the file no longer exists. */
export function isGone(error: unknown): boolean {
  return GONE.has((error as NodeJS.ErrnoException).code)
}

/** Whether a file changed less than this many milliseconds ago. A time in the future comes from another clock: not now. */
export function isFresh({ modified }: FoundStat, clock: Clock, milliseconds: number): boolean {
  return Math.abs(clock.now() - Number(modified / 1_000_000n)) < milliseconds
}

/** Opens a file for reading. Never waits for the other end of a named pipe. */
export function openFile(path: string): number {
  return openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
}

/** Reads from a position until `into` is full or the file ends; returns the number of bytes. */
export function readAt(file: number, into: Uint8Array, position: number): number {
  let filled = 0
  while (filled < into.length) {
    const count = readSync(file, into, filled, into.length - filled, position + filled)
    if (count === 0) break
    filled += count
  }
  return filled
}

export function closeFile(file: number): void {
  try {
    closeSync(file)
  } catch {
    // The file server is gone. The descriptor is free all the same.
  }
}

function convert(stats: BigIntStats): FoundStat {
  return {
    kind: stats.isFile() ? 'file' : stats.isDirectory() ? 'folder' : 'stream',
    key: `${stats.dev}:${stats.ino}`,
    size: Number(stats.size),
    modified: stats.mtimeNs,
    links: Number(stats.nlink),
  }
}
