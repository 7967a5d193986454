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

/** A file that is on its way, with the tag of the version of which it is the beginning. */
export interface PartFile {
  readonly path: string
  /** How much is there that can be gone on from, and the tag of what it is the beginning of. */
  beginning(): { readonly size: number; readonly tag: string }
  /** Opens it to write from `size` on, or anew from 0. */
  write(size: number, tag: string | undefined): PartWriter
  /** Brings it to the disk, so that nothing but the whole of it can be renamed into place. */
  sync(): void
  /** Gives up what is there. */
  discard(): void
}

export interface PartWriter {
  append(bytes: Uint8Array): void
  close(): void
}

/** Only a strong tag says that every byte is the same. */
const STRONG_TAG = /^"[\x21\x23-\x7e]{1,200}"$/

/**
 * A file that is being downloaded, under a name of its own: whoever is interrupted goes on with it the next time. A disk that
 * refuses is a `Failure`, and takes what is there with it: it needs the room.
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
      let at = size
      return {
        append: (bytes) =>
          onDisk(() => {
            for (let done = 0; done < bytes.length; )
              done += writeSync(file, bytes, done, bytes.length - done, at + done)
            at += bytes.length
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
