import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { mayHoldRules } from '@omen/engine'
import { Failure } from '../failure.js'
import type { RuleDocument } from '../releases/pack-package.js'
import { readPrivateKey, signBytes } from '../releases/release-key.js'
import { inRows } from '../releases/uploads.js'
import type { ReleaseOperations, UploadedFile } from './release-operations.js'

/** Keys, signatures and hashes are far smaller; a larger file is something else. */
const LARGEST_COMPANION = 64 * 1024

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'there is no such file or folder',
  EACCES: 'no permission',
  EPERM: 'no permission',
  EISDIR: 'it is a folder, not a file',
  ENOSPC: 'the disk is full',
  EROFS: 'this file system is read-only',
  EEXIST: 'the file exists already',
}

/** Turns an error of the file system into a failure with a message. */
async function withFile<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Failure) throw error
    const { code = '', message } = error as NodeJS.ErrnoException
    throw new Failure('Operator', `${path}: ${REASONS[code] ?? message}`, { cause: error })
  }
}

/**
 * The rule documents below a folder, in the same order on every machine. Other documents, such as lists of tags, are left out.
 *
 * @example
 * await readRuleFolder('rules') // [{ name: 'rules/cre-2026-10001/rule.yaml', text: 'rules:\n…' }, …]
 */
export async function readRuleFolder(folder: string): Promise<readonly RuleDocument[]> {
  const entries = await withFile(folder, () => readdir(folder, { recursive: true, withFileTypes: true }))
  const paths = entries
    .filter((entry) => entry.isFile() && /\.ya?ml$/.test(entry.name))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort((a, b) => (a < b ? -1 : 1))
  if (paths.length === 0) throw new Failure('Operator', `${folder}: no rules found: no file name ends in .yaml`)
  const documents: RuleDocument[] = []
  for (const path of paths) {
    const name = join(folder, path)
    const bytes = await withFile(name, () => readFile(name))
    const text = decode(name, bytes)
    if (mayHoldRules(text)) documents.push({ name, text })
  }
  return documents
}

function decode(name: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new Failure('Operator', `${name}: not UTF-8 text: save the document as UTF-8`)
  }
}

/** Reads a small file. */
export async function readCompanion(path: string, missing?: string): Promise<Buffer> {
  return withFile(path, async () => {
    const { size } = await stat(path).catch((error: NodeJS.ErrnoException) => {
      throw missing !== undefined && error.code === 'ENOENT' ? new Failure('Operator', `${path}: ${missing}`) : error
    })
    if (size > LARGEST_COMPANION) throw new Failure('Operator', `${path}: too large for a key, signature or hash file`)
    return readFile(path)
  })
}

/** Reads a private key on the curve P-256. Messages never contain anything from the file. */
export async function readKeyFile(path: string): Promise<NonNullable<ReturnType<typeof readPrivateKey>>> {
  const key = readPrivateKey((await readCompanion(path)).toString('utf8'))
  if (key) return key
  throw new Failure('Operator', `${path}: not a private key on the curve P-256 in PEM, without a password`, {
    hint: 'Make one with: omen-server keys release',
  })
}

/** Writes a file completely or not at all. Its folder is created. */
export async function writeWhole(path: string, bytes: Uint8Array | string, mode = 0o644): Promise<void> {
  await withFile(path, async () => {
    await mkdir(dirname(resolve(path)), { recursive: true })
    const temporary = join(dirname(resolve(path)), `.${basename(path)}.${randomUUID()}`)
    try {
      const file = await open(temporary, 'wx', mode)
      try {
        await file.writeFile(bytes)
        await file.sync()
      } finally {
        await file.close()
      }
      await rename(temporary, path)
    } finally {
      await rm(temporary, { force: true })
    }
  })
}

export async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  await withFile(path, async () => {
    for await (const piece of createReadStream(path)) hash.update(piece as Buffer)
  })
  return hash.digest('hex')
}

export async function signFile(path: string, { privateKey }: Awaited<ReturnType<typeof readKeyFile>>): Promise<Buffer> {
  return withFile(path, () => signBytes(privateKey, createReadStream(path)))
}

/** Checks a file against its `.sha256` file. */
export async function checkHashFile(path: string): Promise<void> {
  const written = (
    await readCompanion(`${path}.sha256`, 'there is no such file: pack again, or run sha256sum')
  ).toString()
  const [, sha256, name] = /^([0-9a-f]{64}) [ *](.+)\r?\n?$/i.exec(written) ?? []
  if (name !== basename(path))
    throw new Failure('Operator', `${path}.sha256: does not contain the hash of ${basename(path)}`)
  const found = await hashFile(path)
  if (found === sha256?.toLowerCase()) return
  throw new Failure('Operator', `${path}: its SHA-256 is ${found}, and ${basename(path)}.sha256 says ${sha256}`, {
    hint: 'The file was damaged or changed. Get it again.',
  })
}

/** Uploads a file in pieces, whatever its size. */
export async function uploadFile(
  operations: ReleaseOperations,
  path: string,
  signature: Uint8Array,
): Promise<UploadedFile> {
  const { upload } = await operations.beginUpload()
  let number = 0
  await withFile(path, async () => {
    for await (const row of inRows(createReadStream(path))) {
      await operations.addChunk({ upload, number: number++, bytes: Buffer.from(row).toString('base64') })
    }
  })
  return { upload, name: basename(path), signature: Buffer.from(signature).toString('base64') }
}
