/** A line as container runtimes write it, behind its time. */
export interface CriLine {
  /** 0 for the standard output, 1 for the standard error. */
  stream: number
  /** Whether the entry goes on in a later line. */
  partial: boolean
  /** Where the text starts. */
  text: number
}

const STREAMS = ['stdout', 'stderr'].map((name) => new TextEncoder().encode(name))

/** Which stream these six bytes name: 0, 1, or -1 for neither. */
export function streamAt(bytes: Uint8Array, at: number): number {
  return STREAMS.findIndex((name) => name.every((byte, i) => bytes[at + i] === byte))
}

/** Reads ` stdout F ` behind the time of a line, which ends at `at`. The tag may have others behind it: `P:x`. */
export function readCri(bytes: Uint8Array, at: number, end: number, line: CriLine): boolean {
  if (at + 9 > end || bytes[at] !== 32 || bytes[at + 7] !== 32) return false
  const stream = streamAt(bytes, at + 1)
  const tag = bytes[at + 8]
  if (stream < 0 || (tag !== 70 && tag !== 80)) return false
  let next = at + 9
  if (next < end && bytes[next] === 58) while (next < end && bytes[next] !== 32) next++
  if (next < end && bytes[next] !== 32) return false
  line.stream = stream
  line.partial = tag === 80
  line.text = Math.min(next + 1, end)
  return true
}
