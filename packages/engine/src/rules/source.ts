import type { ProblemCode } from './error.js'

/** A rule document: its name for messages, and its content, as a string or as the bytes of a file (gzip or not). */
export type RuleSource =
  | { readonly name: string; readonly text: string }
  | { readonly name: string; readonly bytes: Uint8Array }

/** Raised when the content of a source is not text; `at` is an offset in the part that could be decoded. */
export class SourceError extends Error {
  readonly code: ProblemCode
  readonly text: string
  readonly at: number

  constructor(code: ProblemCode, message: string, text = '', at = 0) {
    super(message)
    this.code = code
    this.text = text
    this.at = at
  }
}

/** Twenty times the largest known package of rules. */
const MAX_SIZE = 64 * 1024 * 1024

const TOO_LARGE = 'larger than 64 MiB, which no rule document is'

/** The text of a source: unpacked, decoded, without a byte order mark. Rejects with `SourceError`. */
export async function readSource(source: RuleSource): Promise<string> {
  const text = 'text' in source ? source.text : decode(await unpack(source.bytes))
  if (text.length > MAX_SIZE) throw new SourceError('too-large', TOO_LARGE)
  const binary = text.indexOf('\0')
  if (binary !== -1) throw new SourceError('not-text', 'binary data: a rule document is YAML text', text, binary)
  return text.startsWith('\ufeff') ? text.slice(1) : text
}

async function unpack(bytes: Uint8Array): Promise<Uint8Array> {
  if (bytes.length > MAX_SIZE) throw new SourceError('too-large', TOO_LARGE)
  return bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzip(bytes) : bytes
}

async function gunzip(bytes: Uint8Array): Promise<Uint8Array> {
  const stream = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream().pipeThrough(new DecompressionStream('gzip'))
  const reader = stream.getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      size += next.value.length
      if (size > MAX_SIZE) throw new SourceError('too-large', `unpacks to something ${TOO_LARGE}`)
      chunks.push(next.value)
    }
  } catch (error) {
    await reader.cancel().catch(() => {})
    if (error instanceof SourceError) throw error
    throw new SourceError('broken-gzip', 'starts like gzip but cannot be unpacked: it is damaged or cut off')
  }
  return concatenate(chunks, size)
}

function concatenate(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const whole = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return whole
}

function decode(bytes: Uint8Array): string {
  if (isUtf16(bytes)) throw new SourceError('not-text', 'UTF-16 text: save the document as UTF-8')
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    const text = new TextDecoder('utf-8').decode(bytes)
    const message = text.includes('\0')
      ? 'binary data: a rule document is YAML text'
      : 'not UTF-8 text: save the document as UTF-8'
    throw new SourceError('not-text', message, text, Math.max(0, text.indexOf('\ufffd')))
  }
}

/** A byte order mark, or, as YAML starts with an ASCII character, a zero byte beside the first one. */
function isUtf16(bytes: Uint8Array): boolean {
  const [first, second, third, fourth] = bytes
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return true
  return (
    (first === 0 && second !== 0 && third === 0 && fourth !== 0) ||
    (first !== 0 && second === 0 && third !== 0 && fourth === 0)
  )
}
