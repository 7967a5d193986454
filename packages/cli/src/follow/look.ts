import { type BigIntStats, closeSync, constants, fstatSync, openSync, readSync, statSync } from 'node:fs'
import type { Clock } from './clock.js'

/** What stands under a name, behind symbolic links. */
export interface Sight {
  readonly kind: 'file' | 'folder' | 'stream'
  /** Device and inode: the same file under any name. */
  readonly key: string
  readonly size: number
  /** Nanoseconds since 1970. */
  readonly modified: bigint
  /** Names that it has; 0 once it is deleted. */
  readonly links: number
}

/** Why a name cannot be looked at. */
export interface Refusal {
  readonly kind: 'refusal'
  readonly error: unknown
}

/** What a name leads to; undefined when that is nothing. */
export type Look = Sight | Refusal | undefined

/** Nothing stands under the name: no file, no folder that it could be in, or the file server has lost it. */
const NOTHING: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR', 'ESTALE'])

/** Looks at what stands under a name, now. */
export function lookAt(path: string): Look {
  try {
    const stats = statSync(path, { bigint: true, throwIfNoEntry: false })
    return stats && describe(stats)
  } catch (error) {
    return isGone(error) ? undefined : { kind: 'refusal', error }
  }
}

/** Looks at a file that is open. */
export function lookAtOpen(file: number): Sight {
  return describe(fstatSync(file, { bigint: true }))
}

/** Whether an error says that there is nothing any more. */
export function isGone(error: unknown): boolean {
  return NOTHING.has((error as NodeJS.ErrnoException).code)
}

/** Whether a file was changed less than so many milliseconds ago. A time in the future is that of another clock: not now. */
export function isFresh({ modified }: Sight, clock: Clock, milliseconds: number): boolean {
  return Math.abs(clock.now() - Number(modified / 1_000_000n)) < milliseconds
}

/** Opens a file for reading. Never waits for the other end of a named pipe. */
export function openFile(path: string): number {
  return openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
}

/** Reads from a place in a file until the room is full or the file ends; returns the number of bytes. */
export function readAt(file: number, into: Uint8Array, position: number): number {
  let filled = 0
  while (filled < into.length) {
    const count = readSync(file, into, filled, into.length - filled, position + filled)
    if (count === 0) break
    filled += count
  }
  return filled
}

/** Closes a file. That this fails, because its server is gone, changes nothing: the descriptor is free. */
export function closeFile(file: number): void {
  try {
    closeSync(file)
  } catch {
    // Said above.
  }
}

function describe(stats: BigIntStats): Sight {
  return {
    kind: stats.isFile() ? 'file' : stats.isDirectory() ? 'folder' : 'stream',
    key: `${stats.dev}:${stats.ino}`,
    size: Number(stats.size),
    modified: stats.mtimeNs,
    links: Number(stats.nlink),
  }
}
