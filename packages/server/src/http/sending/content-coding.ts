import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const compressBrotli = promisify(brotliCompress)
const compressGzip = promisify(gzip)

/** Shorter answers would hardly become shorter. */
const WORTH_IT = 256

/** Answers are made anew for each request: the best compression would take longer than the sending that it saves. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }

/** What is offered, the best first. */
const CODINGS = {
  br: (bytes: Buffer) => compressBrotli(bytes, BROTLI),
  gzip: (bytes: Buffer) => compressGzip(bytes),
} as const

export type Coding = keyof typeof CODINGS

/**
 * The coding that suits a client best; undefined for none. Of equal weights, the one that makes it smaller.
 *
 * @example
 * chooseCoding('gzip, br;q=0.9') // 'gzip'
 */
export function chooseCoding(accepted: string | undefined): Coding | undefined {
  const weights = new Map<string, number>()
  for (const part of (accepted ?? '').toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((word) => word.trim())
    const weight = parameters.find((parameter) => parameter.startsWith('q='))
    weights.set(name, weight === undefined ? 1 : Number(weight.slice(2)) || 0)
  }
  const weightOf = (coding: Coding) => weights.get(coding) ?? weights.get('*') ?? 0
  const [best] = (Object.keys(CODINGS) as Coding[]).sort((a, b) => weightOf(b) - weightOf(a))
  const plain = weights.get('identity') ?? 0
  return best !== undefined && weightOf(best) > 0 && weightOf(best) >= plain ? best : undefined
}

/** Compresses an answer for a client, where that is wanted and worth it. */
export async function encode(
  bytes: Buffer,
  accepted: string | undefined,
): Promise<{ readonly bytes: Buffer; readonly coding: Coding | undefined }> {
  const coding = bytes.length < WORTH_IT ? undefined : chooseCoding(accepted)
  return coding === undefined ? { bytes, coding } : { bytes: await CODINGS[coding](bytes), coding }
}
