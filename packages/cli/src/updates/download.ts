import { formatAmount } from '../console/text/amounts.js'
import { Failure } from '../failure.js'
import { type Deadline, type NetworkResponse, startDeadline, unlessAborted } from '../network/connection.js'
import { explainNetworkError } from '../network/network-error.js'
import type { PartFile } from './part-file.js'
import type { Service } from './service.js'

/** A file that the service offers. */
export interface DownloadedFile {
  readonly file: string
  readonly url: URL
  readonly size: number
}

export interface DownloadDeps {
  readonly service: Pick<Service, 'open'>
  /** Milliseconds for the whole download, and without new bytes. */
  readonly limits: { readonly total: number; readonly idle: number }
  /** Aborts the download. */
  readonly signal?: AbortSignal | undefined
  /** Called with the number of bytes on the disk. */
  readonly advanced?: ((bytes: number) => void) | undefined
}

/** Connections in one run. */
const MAX_ATTEMPTS = 20

/**
 * Downloads a file. Continues the download of an earlier run if the file is still the same (`Range`, `If-Range`), and reconnects as
 * long as each connection brings something. When it resolves, the file has exactly the announced size. Returns how many bytes an
 * earlier run had downloaded. Rejects with a `Failure`; the next run continues, unless the bytes are wrong or the disk is full.
 *
 * @example
 * await download({ file, url, size: 81_234 }, part, { service, limits: { total: 120_000, idle: 15_000 } })
 */
export async function download(wanted: DownloadedFile, part: PartFile, deps: DownloadDeps): Promise<number> {
  const deadline = startDeadline(deps.limits, deps.signal)
  const resumed = part.beginning().size
  try {
    for (let attempt = 1; ; attempt++) {
      const before = part.beginning().size
      try {
        await fetchRest(wanted, part, deadline, deps)
        return resumed
      } catch (error) {
        const after = part.beginning().size
        const isFinal = deadline.signal.aborted || attempt === MAX_ATTEMPTS || after === before
        if (isFinal || !isRetryable(error)) {
          // A download without an ETag cannot be continued.
          if (after === 0) part.discard()
          throw explain(error, wanted, after, deps.signal)
        }
        deadline.refresh()
      }
    }
  } finally {
    deadline.stop()
  }
}

async function fetchRest(
  wanted: DownloadedFile,
  part: PartFile,
  deadline: Deadline,
  deps: DownloadDeps,
): Promise<void> {
  const { file, url, size } = wanted
  if (part.beginning().size > size) part.discard()
  const { size: from, tag } = part.beginning()
  if (from === size) return
  const headers: Record<string, string> = from > 0 ? { range: `bytes=${from}-`, 'if-range': tag } : {}
  let response = await deps.service.open(url, file, headers, deadline.signal)
  // The downloaded part does not belong to the current file.
  if (response.status === 416) response = await deps.service.open(url, file, {}, deadline.signal)
  const start = startOf(response, wanted, from)
  if (typeof start === 'string') return refuse(part, file, start)
  const writer = part.write(start, response.header('etag'))
  try {
    await unlessAborted(copy(response.body, start), deadline.signal)
  } finally {
    writer.close()
  }

  async function copy(body: AsyncIterable<Uint8Array>, start: number): Promise<void> {
    let amount = start
    for await (const bytes of body) {
      // After an abort the file is closed.
      deadline.signal.throwIfAborted()
      amount += bytes.length
      if (amount > size) refuse(part, file, `it is longer than the announced ${size} bytes`)
      deadline.refresh()
      writer.append(bytes)
      deps.advanced?.(amount)
    }
    if (amount < size) throw Object.assign(new Error('the response ended early'), { code: 'ECONNRESET' })
  }
}

/** The position of the body in the file, or why it does not belong to the announced file. */
function startOf(response: NetworkResponse, { size }: DownloadedFile, from: number): number | string {
  const encoding = response.header('content-encoding') ?? 'identity'
  if (encoding !== 'identity') return `the service compressed the file (${encoding})`
  if (response.status === 206) {
    const [, first, total] = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(response.header('content-range') ?? '') ?? []
    const isRequested = Number(first) === from && (total === '*' || Number(total) === size)
    return isRequested ? from : 'the service sent another range than requested'
  }
  const length = response.header('content-length')
  if (response.status !== 200) return `HTTP ${response.status}`
  return length === undefined || Number(length) === size ? 0 : `it has ${length} bytes, but ${size} were announced`
}

/** Removes the downloaded part, which is wrong. */
function refuse(part: PartFile, file: string, reason: string): never {
  part.discard()
  throw new Failure('Network', `${file}: ${reason}: not installed`)
}

function isRetryable(error: unknown): boolean {
  return !(error instanceof Failure) && explainNetworkError(error).isTemporary
}

function explain(
  error: unknown,
  { file, size }: DownloadedFile,
  downloaded: number,
  signal: AbortSignal | undefined,
): unknown {
  if (error instanceof Failure) return error
  const reason = signal?.aborted ? 'interrupted' : explainNetworkError(error).reason
  const rest = downloaded === 0 ? '' : ` after ${formatAmount(downloaded, 'bytes')} of ${formatAmount(size, 'bytes')}`
  return new Failure('Network', `${file}: ${reason}${rest}`, { cause: error })
}
