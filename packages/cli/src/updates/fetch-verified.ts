import type { InstallContext } from './context.js'
import { download, type Wanted } from './download.js'
import type { PartFile } from './part-file.js'
import { type Promised, verifyFile } from './verify.js'

/** A file with all that it must be. */
export interface Signed extends Wanted, Promised {
  readonly sigUrl: URL
  /** What its line of progress says: `Downloading rules 1.4.0`. */
  readonly label: string
  /** Milliseconds for all of it. */
  readonly total: number
}

/** The signature of a P-256 key has 72 bytes at most. */
const LONGEST_SIGNATURE = 1024

/**
 * Brings a file and makes sure that it is the announced one, signed by a key that is trusted: only then it resolves, with the
 * signature. What turns out to be wrong is removed. When an earlier run had left a part of it, that part may be what is wrong:
 * then it is brought anew, once.
 */
export async function fetchVerified(wanted: Signed, part: PartFile, context: InstallContext): Promise<Buffer> {
  const { service, limits, keys, progress, signal } = context
  const signature = await service.small(wanted.sigUrl, `${wanted.file}.sig`, signal)
  for (;;) {
    const stage = progress.stage(wanted.label, 'bytes', wanted.size)
    stage.start()
    try {
      const left = await download(wanted, part, {
        service,
        limits: { total: wanted.total, idle: limits.idle },
        signal,
        advanced: (bytes) => stage.update(bytes),
      })
      const problem = problemOf(() => verifyFile(part.path, wanted, signature.subarray(0, LONGEST_SIGNATURE), keys))
      if (problem === undefined) {
        part.sync()
        stage.done(wanted.size)
        return signature
      }
      part.discard()
      if (left === 0) throw problem
    } finally {
      stage.fail()
    }
  }
}

function problemOf(work: () => void): unknown {
  try {
    work()
    return undefined
  } catch (error) {
    return error
  }
}
