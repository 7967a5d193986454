import { findFormats } from '@omen/engine'
import type { Data } from '../sources/open-data.js'
import { Missing } from '../sources/origin.js'
import type { ApiDeps } from './api/requests.js'
import { type Body, openBody } from './body.js'
import { createTimestampFilter, MAX_HELD } from './timestamp-filter.js'

/** The log of a container. */
export interface ContainerLog {
  readonly namespace: string
  readonly pod: string
  readonly container: string
  /** The UID of the pod. */
  readonly uid: string
  /** The log before the last restart. */
  readonly previous: boolean
  /** The current log is read too: it is normal that this one no longer exists. */
  readonly isExtra?: boolean
  /** The number of restarts before its present run, if that is known: a log that is followed continues after one more. */
  readonly restarts?: number
}

export interface LogOptions {
  /** Nanoseconds since 1970, by the clock of the container runtime. */
  readonly since: bigint | undefined
  readonly until: bigint | undefined
  /** The number of last lines to read. */
  readonly tail: number | undefined
  readonly reading: Pick<NonNullable<Parameters<typeof findFormats>[1]>, 'now' | 'skip' | 'timestamps'>
}

/** The bytes from which the timestamp format is decided. */
const HEAD = 64 * 1024

/** Most logs start like this: then no format has to be tried. */
const BEGINS_WITH_TIME = /^\S{0,12}\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d/

/** Every built-in format contains a time of day, a long number, or 年 as UTF-8 bytes. */
const MAY_BE_TIME = /\d:\d|\d{6}|\d\xe5\xb9\xb4/

/**
 * Opens the log of a container. The timestamps of the container runtime are requested if the lines have none, or to select lines by
 * `since` and `until`.
 *
 * @example
 * const data = await openLog(deps, { namespace: 'shop', pod: 'web-1', container: 'app', previous: false }, options)
 */
export async function openLog(deps: ApiDeps, place: ContainerLog, options: LogOptions): Promise<Data> {
  const { since, until } = options
  const isWhole = since === undefined && until === undefined
  if (isWhole) {
    const plain = await openHead(deps, logPath(place, options, false))
    rejectLost(plain.head)
    if (plain.head.length === 0 || (await hasTimes(plain.head, options))) return dataOf(plain)
    plain.body.close()
  }
  const stamped = await openHead(deps, logPath(place, options, true))
  // The engine reads lines that start with a timestamp.
  if (isWhole) return dataOf(stamped)
  return filtered(stamped, options, await hasTimes(withoutTimestamps(stamped.head), options))
}

export function logPath(
  { namespace, pod, container, previous }: ContainerLog,
  { since, tail, follow = false }: Pick<LogOptions, 'since' | 'tail'> & { readonly follow?: boolean },
  timestamps: boolean,
): string {
  const query = new URLSearchParams({ container })
  if (previous) query.set('previous', 'true')
  if (follow) query.set('follow', 'true')
  if (timestamps) query.set('timestamps', 'true')
  if (tail !== undefined) query.set('tailLines', String(tail))
  // The server uses whole seconds: earlier lines are filtered here.
  if (since !== undefined)
    query.set('sinceTime', `${new Date(Number(since / 1_000_000_000n) * 1000).toISOString().slice(0, 19)}Z`)
  return `/api/v1/namespaces/${namespace}/pods/${pod}/log?${query}`
}

/** Whether the last lines of a log have timestamps; undefined if there is no line yet. */
export async function linesHaveTimes(
  deps: ApiDeps,
  place: ContainerLog,
  options: LogOptions,
): Promise<boolean | undefined> {
  const { head, body } = await openHead(deps, logPath(place, { since: undefined, tail: LAST_LINES }, false))
  body.close()
  return head.length === 0 ? undefined : hasTimes(head, options)
}

const LAST_LINES = 50

interface Head {
  readonly head: Uint8Array
  readonly body: Body
  /** The pending read of the next bytes. */
  readonly next: Promise<Uint8Array> | undefined
}

/** After this long without a byte, the format is decided from the bytes so far. */
const QUIET_MS = 1000

/** Reads the first lines, as many as the decision about the format needs. Does not wait for a log that stops. */
async function openHead(deps: ApiDeps, path: string): Promise<Head> {
  const body = await openBody(deps, path)
  const buffer = new Uint8Array(HEAD)
  let length = 0
  try {
    while (length < buffer.length && !startsWithTime(buffer.subarray(0, length))) {
      const read = body.read(buffer.subarray(length))
      const count = buffer.includes(LINE_FEED) ? await unlessQuiet(read) : await read
      if (count === undefined) {
        const start = length
        const next = read.then((more) => buffer.subarray(start, start + more))
        // Prevents an unhandled rejection if the log is closed before it is read.
        next.catch(() => {})
        return { head: buffer.subarray(0, length), body, next }
      }
      if (count === 0) break
      length += count
    }
  } catch (error) {
    body.close()
    throw error
  }
  return { head: buffer.subarray(0, length), body, next: undefined }
}

const LINE_FEED = 10

async function unlessQuiet<T>(work: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const quiet = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), QUIET_MS)
  })
  try {
    return await Promise.race([work, quiet])
  } finally {
    clearTimeout(timer)
  }
}

function startsWithTime(head: Uint8Array): boolean {
  return BEGINS_WITH_TIME.test(Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, 64)).toString('latin1'))
}

/** The kubelet sends this instead of a log that no longer exists. */
const LOST = /^(?:unable to retrieve container logs for |failed to try resolving symlinks in path )/

function rejectLost(head: Uint8Array): void {
  if (head.length < 1024 && LOST.test(Buffer.from(head).toString('latin1'))) {
    throw new Missing('its log no longer exists: the node has rotated it, or removed the container')
  }
}

async function hasTimes(head: Uint8Array, { reading }: LogOptions): Promise<boolean> {
  if (startsWithTime(head)) return true
  const isPlain = (reading.timestamps?.length ?? 0) === 0
  // Trying all formats takes milliseconds, and there may be thousands of logs.
  if (isPlain && !MAY_BE_TIME.test(Buffer.from(head.buffer, head.byteOffset, head.length).toString('latin1')))
    return false
  return (await findFormats(head, reading)).length > 0
}

function withoutTimestamps(head: Uint8Array): Uint8Array {
  const buffer = new Uint8Array(head.length + MAX_HELD)
  return buffer.subarray(
    0,
    createTimestampFilter({ since: undefined, until: undefined, strip: true }).take(head, buffer),
  )
}

function dataOf({ head, body, next }: Head): Data {
  let rest = head
  let coming = next
  return {
    compression: undefined,
    size: undefined,
    file: undefined,
    taken: () => body.taken(),
    async read(into) {
      if (rest.length === 0 && coming) {
        rest = await coming
        coming = undefined
        if (rest.length === 0) return 0
      }
      if (rest.length === 0) return body.read(into)
      const chunk = rest.subarray(0, into.length)
      into.set(chunk)
      rest = rest.subarray(chunk.length)
      return chunk.length
    },
    async close() {
      body.close()
    },
  }
}

const CHUNK = 64 * 1024

function filtered(stamped: Head, { since, until }: LogOptions, strip: boolean): Data {
  const whole = dataOf(stamped)
  const filter = createTimestampFilter({ since, until, strip })
  const chunk = new Uint8Array(CHUNK)
  let isRead = false
  return {
    ...whole,
    async read(into) {
      while (!isRead) {
        const count = await whole.read(chunk.subarray(0, into.length - MAX_HELD))
        isRead = count === 0
        const written = isRead ? filter.rest(into) : filter.take(chunk.subarray(0, count), into)
        isRead ||= filter.isOver
        if (written > 0) return written
      }
      return 0
    },
  }
}
