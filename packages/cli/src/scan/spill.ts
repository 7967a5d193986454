import { openSync, readSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A range of the spill file: whole lines. */
export interface SpillRange {
  readonly offset: number
  readonly length: number
}

/** Lines that are stored on disk until the report is written. */
export interface Spill {
  /** Stores lines; undefined if they cannot be written. */
  write(lines: Iterable<string>): SpillRange | undefined
  read(range: SpillRange): Generator<string, void, undefined>
}

/** How much of a range is written or read at a time. */
const PIECE = 1 << 20

const LINE_FEED = 10

/**
 * Creates a file for what does not fit in memory. Its name is removed at once, so that it is deleted when the process ends, in
 * whatever way.
 */
export function createSpill(folder = tmpdir()): Spill {
  let file: number | undefined
  let end = 0

  function open(): number {
    const path = join(folder, `omen-${process.pid}-${Math.random().toString(36).slice(2)}.hits`)
    const opened = openSync(path, 'wx+', 0o600)
    rmSync(path)
    return opened
  }

  return {
    write(lines) {
      const offset = end
      try {
        file ??= open()
        let at = offset
        for (const bytes of inPieces(lines)) at = writeAt(file, bytes, at)
        end = at
        return { offset, length: end - offset }
      } catch {
        return undefined
      }
    },
    *read({ offset, length }) {
      let rest = Buffer.alloc(0)
      for (let at = offset; at < offset + length; ) {
        const piece = Buffer.alloc(Math.min(PIECE, offset + length - at))
        const bytes = readSync(file!, piece, 0, piece.length, at)
        if (bytes === 0) throw new Error('the temporary file with the hits was truncated')
        at += bytes
        rest = Buffer.concat([rest, piece.subarray(0, bytes)])
        let start = 0
        for (let next = rest.indexOf(LINE_FEED); next >= 0; next = rest.indexOf(LINE_FEED, start)) {
          yield rest.toString('utf8', start, next)
          start = next + 1
        }
        rest = rest.subarray(start)
      }
    },
  }
}

/** Lines in pieces: all of them at once would take as much memory again. */
function* inPieces(lines: Iterable<string>): Generator<Buffer, void, undefined> {
  let piece = ''
  for (const line of lines) {
    piece += `${line}\n`
    if (piece.length < PIECE) continue
    yield Buffer.from(piece)
    piece = ''
  }
  if (piece !== '') yield Buffer.from(piece)
}

/** Writes all bytes at `position`, and returns where they end. */
function writeAt(file: number, bytes: Buffer, position: number): number {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at, bytes.length - at, position + at)
  return position + bytes.length
}
