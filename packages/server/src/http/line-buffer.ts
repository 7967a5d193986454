/** A character of JavaScript takes at most so many bytes. */
const CHARACTER_BYTES = 3

/** Lines that wait to be written. */
export interface LineBuffer {
  /** Adds a line, unless that is more than may wait. */
  add(line: string): void
  isEmpty(): boolean
  /** Takes all lines out. */
  take(): Buffer
}

const NO_ROOM: Buffer = Buffer.alloc(0)

/**
 * Keeps lines as bytes, up to a limit. A line is put together from dozens of small strings; kept as text, all of them would live
 * until it is written, and what lives is what costs the garbage collector its time.
 *
 * @example
 * const lines = createLineBuffer(4 * 1024 * 1024)
 * lines.add('{"msg":"hello"}\n')
 * lines.take().toString() // {"msg":"hello"}
 */
export function createLineBuffer(limit: number): LineBuffer {
  let bytes = NO_ROOM
  let length = 0
  return {
    add(line) {
      if (length + line.length > limit) return
      const most = length + CHARACTER_BYTES * line.length
      if (most > bytes.length) bytes = enlarged(bytes.subarray(0, length), 2 * most)
      const end = length + bytes.write(line, length)
      if (end <= limit) length = end
    },
    isEmpty: () => length === 0,
    take() {
      const taken = bytes.subarray(0, length)
      bytes = NO_ROOM
      length = 0
      return taken
    },
  }
}

function enlarged(lines: Buffer, size: number): Buffer {
  const room = Buffer.allocUnsafeSlow(size)
  lines.copy(room)
  return room
}
