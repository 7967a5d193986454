import {
  closeSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { explainWriteError } from '../output/write-failure.js'

/** A partly downloaded file, with the ETag of its version. */
export interface PartFile {
  readonly path: string
  /** The number of bytes that a download can continue from, and their ETag. */
  beginning(): { readonly size: number; readonly tag: string }
  /** Opens the file to write from `size`. 0 starts again. */
  write(size: number, tag: string | undefined): PartWriter
  /** Syncs the file to the disk. */
  sync(): void
  /** Removes the file. */
  discard(): void
}

export interface PartWriter {
  append(bytes: Uint8Array): void
  close(): void
}

/** Only a strong ETag guarantees that every byte is the same. */
const STRONG_TAG = /^"[\x21\x23-\x7e]{1,200}"$/

/**
 * A file that is being downloaded, under a temporary name, so that a later run can continue it. If writing fails, the file is removed,
 * because the disk may be full, and a `Failure` is thrown.
 *
 * @example
 * const part = partFile('/home/ada/.preq/.omen-public-cre-rules.1.4.0.9f2c11aa0b1c.yaml.gz.part', 0o644)
 * const { size, tag } = part.beginning()
 */
export function partFile(path: string, mode: number): PartFile {
  const tagPath = `${path}.etag`
  const discard = () => {
    for (const name of [path, tagPath]) rmSync(name, { force: true })
  }
  const onDisk = <T>(work: () => T): T => {
    try {
      return work()
    } catch (error) {
      discard()
      throw explainWriteError(path, error)
    }
  }
  return {
    path,
    beginning() {
      const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
      const tag = size === 0 ? '' : readTag(tagPath)
      return { size: tag === '' ? 0 : size, tag }
    },
    write(size, tag = '') {
      const file = onDisk(() => {
        if (size === 0) discard()
        if (size === 0 && STRONG_TAG.test(tag)) writeFileSync(tagPath, tag, { mode: 0o600 })
        return openSync(path, size === 0 ? 'w' : 'r+', mode)
      })
      onDisk(() => ftruncateSync(file, size))
      let position = size
      return {
        append: (bytes) =>
          onDisk(() => {
            for (let written = 0; written < bytes.length; )
              written += writeSync(file, bytes, written, bytes.length - written, position + written)
            position += bytes.length
          }),
        close: () => closeSync(file),
      }
    },
    sync: () =>
      onDisk(() => {
        const file = openSync(path, 'r+')
        try {
          fsyncSync(file)
        } finally {
          closeSync(file)
        }
      }),
    discard,
  }
}

function readTag(path: string): string {
  try {
    const tag = readFileSync(path, 'utf8')
    return STRONG_TAG.test(tag) ? tag : ''
  } catch {
    return ''
  }
}
