import { isUtf8 } from 'node:buffer'

/** A text, and where it stops being one. */
export interface DecodedText {
  readonly text: string
  readonly problem?: { readonly at: number; readonly message: string }
}

const REPLACEMENT = '\ufffd'

/** The text of a file, without a byte order mark. Bytes that no text file has are a problem with its place. */
export function decodeText(bytes: Uint8Array): DecodedText {
  // Making the first TextDecoder of a process takes longer than all else here.
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
    .toString('utf8')
    .replace(/^\ufeff/, '')
  if (!isUtf8(bytes)) {
    const message = 'this is not UTF-8 text: save the file as UTF-8'
    return { text, problem: { at: firstBroken(text, bytes), message } }
  }
  const at = text.indexOf('\0')
  return at === -1 ? { text } : { text, problem: { at, message: 'a NUL byte: this is not a text file' } }
}

/** The first replacement character of the text that does not stand in the file itself. */
function firstBroken(text: string, bytes: Uint8Array): number {
  let from = 0
  let offset = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
  for (let at = text.indexOf(REPLACEMENT); at !== -1; at = text.indexOf(REPLACEMENT, from)) {
    offset += Buffer.byteLength(text.slice(from, at))
    if (bytes[offset] !== 0xef || bytes[offset + 1] !== 0xbf || bytes[offset + 2] !== 0xbd) return at
    offset += 3
    from = at + 1
  }
  return 0
}
