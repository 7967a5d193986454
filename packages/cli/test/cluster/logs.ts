import { type StatusError, statusError } from './status.js'

/** A line of a container's log: the runtime's timestamp (RFC 3339) and the line. */
export interface LogLine {
  readonly at: string
  readonly text: string
}

/** One log of a container. */
export interface ContainerLog {
  /** The lines; a function for logs that are too large for memory. */
  readonly lines?: readonly LogLine[]
  readonly bytes?: (request: LogRequest) => Iterable<Uint8Array> | AsyncIterable<Uint8Array>
  /** The response to every request. */
  readonly error?: StatusError
  /** Breaks the connection after a number of bytes: always, or the first times. */
  readonly breaksAfter?: number
  readonly breaksTimes?: number
  /** Sends nothing after the lines, and does not end. */
  readonly hangs?: boolean
}

/** A request for a log. */
export interface LogRequest {
  readonly container: string | undefined
  readonly follow: boolean
  readonly previous: boolean
  readonly timestamps: boolean
  readonly tailLines: number | undefined
  readonly limitBytes: number | undefined
  /** Milliseconds since 1970. */
  readonly since: number | undefined
}

/** Reads the query of a log request; throws a `StatusError` if the real server refuses it. */
export function readLogRequest(query: URLSearchParams, now: number): LogRequest | StatusError {
  const flag = (name: string) => ['true', '1', ''].includes(query.get(name) ?? 'false')
  const number = (name: string) => (query.has(name) ? Number(query.get(name)) : undefined)
  const [tailLines, limitBytes, sinceSeconds] = ['tailLines', 'limitBytes', 'sinceSeconds'].map(number)
  const sinceTime = query.get('sinceTime')
  const since = sinceTime === null ? undefined : Math.floor(Date.parse(sinceTime) / 1000) * 1000
  const invalid = (field: string, value: unknown, why: string) =>
    statusError(422, `PodLogOptions "" is invalid: ${field}: Invalid value: ${String(value)}: ${why}`)
  if (tailLines !== undefined && !(tailLines >= 0))
    return invalid('tailLines', tailLines, 'must be greater than or equal to 0')
  if (limitBytes !== undefined && !(limitBytes > 0)) return invalid('limitBytes', limitBytes, 'must be greater than 0')
  if (since !== undefined && Number.isNaN(since)) return invalid('sinceTime', sinceTime, 'must be a time')
  if (since !== undefined && sinceSeconds !== undefined) {
    return invalid('sinceSeconds', sinceSeconds, 'at most one of `sinceTime` or `sinceSeconds` may be specified')
  }
  return {
    container: query.get('container') ?? undefined,
    follow: flag('follow'),
    previous: flag('previous'),
    timestamps: flag('timestamps'),
    tailLines,
    limitBytes,
    since: sinceSeconds === undefined ? since : now - sinceSeconds * 1000,
  }
}

/** The lines of the response. The kubelet applies the tail first, then the time. */
export function chosenLines(lines: readonly LogLine[], { tailLines, since }: LogRequest): readonly LogLine[] {
  const tail = tailLines === undefined ? lines : lines.slice(Math.max(0, lines.length - tailLines))
  return since === undefined ? tail : tail.filter(({ at }) => Date.parse(at) >= since)
}

export function written({ at, text }: LogLine, { timestamps }: Pick<LogRequest, 'timestamps'>): Buffer {
  return Buffer.from(timestamps ? `${at} ${text}\n` : `${text}\n`)
}
