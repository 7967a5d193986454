import { openSync, readSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A stretch of the spill: whole lines. */
export interface Stretch {
  readonly offset: number
  readonly length: number
}

/** Lines that wait on disk until the report is written. */
export interface Spill {
  /** Puts lines away; undefined when the disk does not take them. */
  write(lines: Iterable<string>): Stretch | undefined
  read(stretch: Stretch): Generator<string, void, undefined>
}

/** How much of a stretch is written or read at a time. */
const PIECE = 1 << 20

const LINE_FEED = 10

/**
 * Makes a place on disk for what does not fit into memory. The file has no name from its first moment on, so that it is gone
 * with the process, however that ends.
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
        if (bytes === 0) throw new Error('the temporary file with the hits was cut short')
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

/** Lines in pieces: all of them at once would take as much memory again as they are to give back. */
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

/** Writes all bytes at a place of the file, and returns where they end. */
function writeAt(file: number, bytes: Buffer, place: number): number {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at, bytes.length - at, place + at)
  return place + bytes.length
}
