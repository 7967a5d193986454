import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const compressBrotli = promisify(brotliCompress)
const compressGzip = promisify(gzip)

/** Shorter responses are hardly compressible. */
const MIN_LENGTH = 256

/** Responses are compressed for each request: the best quality would take longer than it saves in sending. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }

/** The supported codings, the best first. */
const CODINGS = {
  br: (bytes: Buffer) => compressBrotli(bytes, BROTLI),
  gzip: (bytes: Buffer) => compressGzip(bytes),
} as const

export type Coding = keyof typeof CODINGS

/**
 * The supported coding that a client prefers, or undefined for none. Of codings with equal weights, the one that compresses better.
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
  const identity = weights.get('identity') ?? 0
  return best !== undefined && weightOf(best) > 0 && weightOf(best) >= identity ? best : undefined
}

/** Compresses a response if the client accepts that and the response is long enough. */
export async function encode(
  bytes: Buffer,
  accepted: string | undefined,
): Promise<{ readonly bytes: Buffer; readonly coding: Coding | undefined }> {
  const coding = bytes.length < MIN_LENGTH ? undefined : chooseCoding(accepted)
  return coding === undefined ? { bytes, coding } : { bytes: await CODINGS[coding](bytes), coding }
}
