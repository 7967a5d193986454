import { createHash } from 'node:crypto'
import { closeSync, openSync, readSync } from 'node:fs'
import { Failure } from '../failure.js'
import { type DownloadedFile, download } from './download.js'
import type { InstallContext } from './install-offers.js'
import type { PartFile } from './part-file.js'
import { checkSignature, type ReleaseKey } from './release-keys.js'

/** A file of a release. */
export interface SignedFile extends DownloadedFile, Announced {
  readonly sigUrl: URL
  /** The label of the progress line, such as `Downloading rules 1.4.0`. */
  readonly label: string
  /** Milliseconds for the whole download. */
  readonly total: number
}

/** The signature of a P-256 key has 72 bytes at most. */
const MAX_SIGNATURE_LENGTH = 1024

/**
 * Downloads a file and verifies its size, hash and signature. Resolves with the signature; a file that is not valid is removed. If an
 * earlier run downloaded a part of it, that part may be wrong: then the whole file is downloaded again, once.
 */
export async function fetchVerified(file: SignedFile, part: PartFile, context: InstallContext): Promise<Buffer> {
  const { service, limits, keys, progress, signal } = context
  const signature = await service.readSmall(file.sigUrl, `${file.file}.sig`, signal)
  for (;;) {
    const stage = progress.stage(file.label, 'bytes', file.size)
    stage.start()
    try {
      const resumed = await download(file, part, {
        service,
        limits: { total: file.total, idle: limits.idle },
        signal,
        advanced: (bytes) => stage.update(bytes),
      })
      const failure = failureOf(() => verifyFile(part.path, file, signature.subarray(0, MAX_SIGNATURE_LENGTH), keys))
      if (failure === undefined) {
        part.sync()
        stage.done(file.size)
        return signature
      }
      part.discard()
      if (resumed === 0) throw failure
    } finally {
      stage.fail()
    }
  }
}

function failureOf(work: () => void): unknown {
  try {
    work()
    return undefined
  } catch (error) {
    return error
  }
}

/** The announced properties of a file. */
export interface Announced {
  /** Its name in messages. */
  readonly file: string
  readonly size: number
  readonly sha256: string
}

const CHUNK = 1024 * 1024

/**
 * Verifies the size, hash and signature of a file in one pass. Returns the key that signed it; throws a `Failure` that names the
 * file and the reason.
 *
 * @example
 * verifyFile(path, { file, size, sha256 }, signature, keys).fingerprint
 */
export function verifyFile(
  path: string,
  { file, size, sha256 }: Announced,
  signature: Uint8Array,
  keys: readonly ReleaseKey[],
): ReleaseKey {
  const hash = createHash('sha256')
  const check = checkSignature(keys)
  let length = 0
  for (const bytes of chunksOf(path)) {
    length += bytes.length
    hash.update(bytes)
    check.update(bytes)
  }
  if (length !== size) throw invalid(file, `it has ${length} bytes, but ${size} were announced`)
  const found = hash.digest('hex')
  if (found !== sha256) throw invalid(file, `its SHA-256 is ${found}, but ${sha256} was announced`)
  const signer = check.signer(signature)
  if (signer) return signer
  const trusted = keys.map(({ fingerprint }) => fingerprint).join(', ')
  throw invalid(file, `it is not signed with a trusted key (${trusted})`)
}

const SHA256_LINE = /^([0-9a-f]{64}) [ *](.+?)\r?\n?$/

/** Verifies a `.sha256` file in the format of `sha256sum`. */
export function verifyHashFile(text: string, { file, sha256 }: Pick<Announced, 'file' | 'sha256'>): void {
  const [, hash, name] = SHA256_LINE.exec(text) ?? []
  if (name !== file || hash === undefined) throw invalid(`${file}.sha256`, `it is not the hash of ${file}`)
  if (hash !== sha256) throw invalid(`${file}.sha256`, `it contains ${hash}, but ${sha256} was announced`)
}

function invalid(file: string, what: string): Failure {
  return new Failure('Network', `${file}: ${what}: not installed`)
}

function* chunksOf(path: string): Generator<Uint8Array> {
  const file = openSync(path, 'r')
  try {
    const buffer = Buffer.allocUnsafe(CHUNK)
    for (let read = readSync(file, buffer); read > 0; read = readSync(file, buffer)) yield buffer.subarray(0, read)
  } finally {
    closeSync(file)
  }
}
