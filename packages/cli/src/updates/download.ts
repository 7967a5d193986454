import { formatAmount } from '../console/text/amounts.js'
import { Failure } from '../failure.js'
import { type Deadline, type NetworkResponse, startDeadline, unlessAborted } from '../network/connection.js'
import { explainNetworkError } from '../network/network-error.js'
import type { PartFile } from './part-file.js'
import type { Service } from './service.js'

/** A file that the service offers. */
export interface Wanted {
  readonly file: string
  readonly url: URL
  readonly size: number
}

export interface DownloadTools {
  readonly service: Pick<Service, 'open'>
  /** Milliseconds: for the whole, and for a silence. */
  readonly limits: { readonly total: number; readonly idle: number }
  /** Somebody wants to leave. */
  readonly signal?: AbortSignal | undefined
  /** How many bytes are there. */
  readonly advanced?: ((bytes: number) => void) | undefined
}

/** A connection that breaks again and again is good for so many pieces in one run. */
const MOST_PIECES = 20

/**
 * Downloads a file: what an earlier run has left is gone on from, if it is still the same file (`Range`, `If-Range`), and a
 * connection that breaks is made again as long as each one brings something. All of the announced size is on the disk when it
 * resolves, and never more than that. Gives how much of it an earlier run had left. Rejects with a `Failure`; what came is
 * kept for the next run unless it is wrong or the disk is full.
 *
 * @example
 * await download({ file, url, size: 81_234 }, part, { service, limits: { total: 120_000, idle: 15_000 } })
 */
export async function download(wanted: Wanted, part: PartFile, tools: DownloadTools): Promise<number> {
  const deadline = startDeadline(tools.limits, tools.signal)
  const left = part.beginning().size
  try {
    for (let pieces = 1; ; pieces++) {
      const before = part.beginning().size
      try {
        await fetchRest(wanted, part, deadline, tools)
        return left
      } catch (error) {
        const after = part.beginning().size
        const isOver = deadline.signal.aborted || pieces === MOST_PIECES || after === before
        if (isOver || !isBroken(error)) {
          // What has no tag cannot be gone on from.
          if (after === 0) part.discard()
          throw explain(error, wanted, after, tools.signal)
        }
        deadline.refresh()
      }
    }
  } finally {
    deadline.stop()
  }
}

async function fetchRest(wanted: Wanted, part: PartFile, deadline: Deadline, tools: DownloadTools): Promise<void> {
  const { file, url, size } = wanted
  if (part.beginning().size > size) part.discard()
  const { size: from, tag } = part.beginning()
  if (from === size) return
  const headers: Record<string, string> = from > 0 ? { range: `bytes=${from}-`, 'if-range': tag } : {}
  let answer = await tools.service.open(url, file, headers, deadline.signal)
  // What we have is not the beginning of what is there now.
  if (answer.status === 416) answer = await tools.service.open(url, file, {}, deadline.signal)
  const begin = placeOf(answer, wanted, from)
  if (typeof begin === 'string') return refuse(part, file, begin)
  const writer = part.write(begin, answer.header('etag'))
  try {
    await unlessAborted(copy(answer.body, begin), deadline.signal)
  } finally {
    writer.close()
  }

  async function copy(body: AsyncIterable<Uint8Array>, begin: number): Promise<void> {
    let amount = begin
    for await (const bytes of body) {
      // What arrives after the end is not written: the file is closed by then.
      deadline.signal.throwIfAborted()
      amount += bytes.length
      if (amount > size) refuse(part, file, `it is longer than the ${size} bytes that were announced`)
      deadline.refresh()
      writer.append(bytes)
      tools.advanced?.(amount)
    }
    if (amount < size) throw Object.assign(new Error('the end came too early'), { code: 'ECONNRESET' })
  }
}

/** Where in the file the body begins, or why it is not of the announced file. */
function placeOf(answer: NetworkResponse, { size }: Wanted, from: number): number | string {
  const encoding = answer.header('content-encoding') ?? 'identity'
  if (encoding !== 'identity') return `the service has compressed it again (${encoding})`
  if (answer.status === 206) {
    const [, start, total] = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(answer.header('content-range') ?? '') ?? []
    const isRight = Number(start) === from && (total === '*' || Number(total) === size)
    return isRight ? from : 'the service sends another part than was asked for'
  }
  const length = answer.header('content-length')
  if (answer.status !== 200) return `HTTP ${answer.status}`
  return length === undefined || Number(length) === size ? 0 : `it has ${length} bytes, and ${size} were announced`
}

/** What was read so far is of no use. */
function refuse(part: PartFile, file: string, reason: string): never {
  part.discard()
  throw new Failure('Network', `${file}: ${reason}: not installed`)
}

/** A connection that failed in a way that passes. */
function isBroken(error: unknown): boolean {
  return !(error instanceof Failure) && explainNetworkError(error).isTemporary
}

function explain(error: unknown, { file, size }: Wanted, there: number, signal: AbortSignal | undefined): unknown {
  if (error instanceof Failure) return error
  const reason = signal?.aborted ? 'interrupted' : explainNetworkError(error).reason
  const rest = there === 0 ? '' : ` after ${formatAmount(there, 'bytes')} of ${formatAmount(size, 'bytes')}`
  return new Failure('Network', `${file}: ${reason}${rest}`, { cause: error })
}
