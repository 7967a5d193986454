import { createHash } from 'node:crypto'
import { Problem } from '../problem.js'
import { findCurrentReleaseKeys, type StoredReleaseKey } from '../store/releases/release-keys.js'
import { badPackageName, readPackageName, readToolName } from './file-names.js'
import { checkSignature, readPublicKey } from './release-key.js'
import { LARGEST_PACKAGE, LARGEST_TOOL, type ReleaseDeps, readRows, tooLarge } from './uploads.js'

/** A file that was uploaded and may become part of a release. */
export interface UploadedFile {
  readonly upload: string
  readonly name: string
  /** DER. */
  readonly signature: Uint8Array
}

/** The content of a file, and who signed it. */
export interface ExaminedFile {
  readonly upload: string
  readonly name: string
  readonly platform: string | undefined
  readonly size: number
  readonly sha256: string
  readonly signature: Buffer
  readonly keyId: string
}

export interface ExaminedPackage {
  readonly file: ExaminedFile
  readonly version: string
  readonly rules: number
  readonly notes: string
}

/**
 * Examines a package of rules: its name, its hash, its signature, its content. Rejects with a `Problem` that says what is wrong.
 *
 * @example
 * const { file, version } = await examinePackage(deps, { upload, name, signature }, undefined)
 */
export async function examinePackage(
  deps: ReleaseDeps,
  uploaded: UploadedFile,
  organizationId: string | undefined,
): Promise<ExaminedPackage> {
  const { name } = uploaded
  const channel = organizationId === undefined ? 'public' : 'private'
  const read = readPackageName(name)
  if (read?.channel !== channel) throw badPackageName(name, channel)
  const rows: Uint8Array[] = []
  const file = await examineBytes(deps, uploaded, {
    organizationId,
    most: LARGEST_PACKAGE,
    keep: (row) => rows.push(row),
  })
  if (!file.sha256.startsWith(read.hash)) {
    throw new Problem(
      'invalid_package',
      `The SHA-256 of the file is ${file.sha256}, but its name says ${read.hash}: the file was damaged or renamed.`,
    )
  }
  const { version, rules, notes } = await deps.compile(name, Buffer.concat(rows))
  if (version !== read.version) {
    throw new Problem(
      'invalid_package',
      `The version in the package is ${version ?? 'missing'}, but its name says ${read.version}. Pack it again.`,
    )
  }
  return { file, version, rules, notes }
}

/** Examines a single-file executable: its name, its signature. */
export async function examineTool(
  deps: ReleaseDeps,
  uploaded: UploadedFile,
): Promise<{ readonly file: ExaminedFile; readonly version: string }> {
  const read = readToolName(uploaded.name)
  if (read === undefined) {
    throw new Problem(
      'invalid_package',
      `${JSON.stringify(uploaded.name)} is not the name of an executable: it must be omen-<version>-<platform>, such as omen-0.3.0-linux-x64 or omen-0.3.0-win32-x64.exe.`,
    )
  }
  const file = await examineBytes(deps, uploaded, {
    organizationId: undefined,
    most: LARGEST_TOOL,
    keep: () => undefined,
  })
  return { file: { ...file, platform: read.platform }, version: read.version }
}

interface Examination {
  readonly organizationId: string | undefined
  readonly most: number
  /** Called with every row. */
  readonly keep: (row: Uint8Array) => unknown
}

/** One pass over the rows in the database: the bytes that are checked are the bytes that will be served. */
async function examineBytes(
  { database }: ReleaseDeps,
  { upload, name, signature }: UploadedFile,
  { organizationId, most, keep }: Examination,
): Promise<ExaminedFile> {
  const keys = await findCurrentReleaseKeys(database, organizationId)
  const check = checkSignature(keys.flatMap(({ pem }) => readPublicKey(pem) ?? []))
  const hash = createHash('sha256')
  let size = 0
  for await (const row of readRows(database, upload)) {
    size += row.length
    if (size > most) throw tooLarge(most)
    hash.update(row)
    check.update(row)
    keep(row)
  }
  if (size === 0) throw new Problem('invalid_package', `${name} is empty.`)
  const signer = check.signer(signature)
  if (signer === undefined) throw noSuchSigner(name, keys)
  const sha256 = hash.digest('hex')
  return { upload, name, platform: undefined, size, sha256, signature: Buffer.from(signature), keyId: signer.id }
}

/** A signature that none of the keys made. */
export function noSuchSigner(name: string, keys: readonly StoredReleaseKey[]): Problem {
  const known = keys.map(({ id }) => id).join(', ')
  return new Problem(
    'signature_rejected',
    keys.length === 0
      ? `${name} cannot be verified: no release key is registered. The operator makes or registers one: omen-server keys release.`
      : `The signature of ${name} was not made by a release key (${known}), or was made for another file. Sign this file with one of these keys.`,
  )
}
