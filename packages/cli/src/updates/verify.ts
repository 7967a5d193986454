import { createHash } from 'node:crypto'
import { closeSync, openSync, readSync } from 'node:fs'
import { Failure } from '../failure.js'
import { checkSignature, type ReleaseKey } from './release-keys.js'

/** What a file must be. */
export interface Promised {
  /** Its name in messages. */
  readonly file: string
  readonly size: number
  readonly sha256: string
}

const PIECE = 1024 * 1024

/**
 * Checks a file against what was announced and against its signature, in one pass. Returns the key that signed it; throws a
 * `Failure` that names the file and what is wrong with it.
 *
 * @example
 * verifyFile(path, { file, size, sha256 }, signature, keys).fingerprint
 */
export function verifyFile(
  path: string,
  { file, size, sha256 }: Promised,
  signature: Uint8Array,
  keys: readonly ReleaseKey[],
): ReleaseKey {
  const hash = createHash('sha256')
  const check = checkSignature(keys)
  let length = 0
  for (const bytes of piecesOf(path)) {
    length += bytes.length
    hash.update(bytes)
    check.update(bytes)
  }
  if (length !== size) throw unfit(file, `it has ${length} bytes, and ${size} were announced`)
  const found = hash.digest('hex')
  if (found !== sha256) throw unfit(file, `its SHA-256 is ${found}, and ${sha256} was announced`)
  const signer = check.signer(signature)
  if (signer) return signer
  const known = keys.map(({ fingerprint }) => fingerprint).join(', ')
  throw unfit(file, `its signature is not by a key that you trust (${known})`)
}

const SHA256_LINE = /^([0-9a-f]{64}) [ *](.+?)\r?\n?$/

/** Checks a `.sha256` file, as `sha256sum` writes it, against what was announced. */
export function verifyHashFile(text: string, { file, sha256 }: Pick<Promised, 'file' | 'sha256'>): void {
  const [, hash, name] = SHA256_LINE.exec(text) ?? []
  if (name !== file || hash === undefined) throw unfit(`${file}.sha256`, `it is not the hash of ${file}`)
  if (hash !== sha256) throw unfit(`${file}.sha256`, `it says ${hash}, and ${sha256} was announced`)
}

function unfit(file: string, what: string): Failure {
  return new Failure('Network', `${file}: ${what}: not installed`)
}

function* piecesOf(path: string): Generator<Uint8Array> {
  const file = openSync(path, 'r')
  try {
    const buffer = Buffer.allocUnsafe(PIECE)
    for (let read = readSync(file, buffer); read > 0; read = readSync(file, buffer)) yield buffer.subarray(0, read)
  } finally {
    closeSync(file)
  }
}
