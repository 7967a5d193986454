import { decideFormat } from '@omen/engine'
import type { Data } from '../sources/open-data.js'
import { Missing } from '../sources/origin.js'
import type { Asking } from './api/ask.js'
import { type Body, openBody } from './body.js'
import { createStampFilter, MOST_HELD } from './stamps.js'

/** A log of a container. */
export interface LogPlace {
  readonly namespace: string
  readonly pod: string
  readonly container: string
  /** The uid of the pod. */
  readonly uid: string
  /** That of the instance before this one. */
  readonly previous: boolean
}

/** What is read of every log, and how. */
export interface LogOptions {
  /** Nanoseconds since 1970, as the runtime counts: lines before and after are not read. */
  readonly since: bigint | undefined
  readonly until: bigint | undefined
  /** The last so many lines alone. */
  readonly tail: number | undefined
  readonly reading: Pick<NonNullable<Parameters<typeof decideFormat>[1]>, 'now' | 'skip' | 'timestamps'>
}

/** Whether lines have times is decided on so many bytes at most: more than the lines that are tried ever have. */
const HEAD = 64 * 1024

/** What most logs begin with: then nothing has to be tried. */
const BEGINS_WITH_TIME = /^\S{0,12}\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d/

/** Every built-in format has a time of day, a long number or the sign for a year in it, as bytes of UTF-8. */
const MAY_BE_TIME = /\d:\d|\d{6}|\d\xe5\xb9\xb4/

/**
 * Opens the log of a container. Where its lines have no times, those of the runtime are asked for; where only some of it is
 * wanted, too, to choose by them.
 *
 * @example
 * const data = await openLog(asking, { namespace: 'shop', pod: 'web-1', container: 'app', previous: false }, options)
 */
export async function openLog(asking: Asking, place: LogPlace, options: LogOptions): Promise<Data> {
  const { since, until } = options
  const isWhole = since === undefined && until === undefined
  if (isWhole) {
    const plain = await openHead(asking, logPath(place, options, false))
    refuseLost(plain.head)
    if (plain.head.length === 0 || (await hasTimes(plain.head, options))) return dataOf(plain)
    plain.body.close()
  }
  const stamped = await openHead(asking, logPath(place, options, true))
  // Each line with its time in front is what the engine reads anyway.
  if (isWhole) return dataOf(stamped)
  return filtered(stamped, options, await hasTimes(withoutStamps(stamped.head), options))
}

/** The path and query of a log, as the API has them. */
export function logPath(
  { namespace, pod, container, previous }: LogPlace,
  { since, tail, follow = false }: Pick<LogOptions, 'since' | 'tail'> & { readonly follow?: boolean },
  timestamps: boolean,
): string {
  const query = new URLSearchParams({ container })
  if (previous) query.set('previous', 'true')
  if (follow) query.set('follow', 'true')
  if (timestamps) query.set('timestamps', 'true')
  if (tail !== undefined) query.set('tailLines', String(tail))
  // Whole seconds, as the server counts: what is too early is left out here.
  if (since !== undefined)
    query.set('sinceTime', `${new Date(Number(since / 1_000_000_000n) * 1000).toISOString().slice(0, 19)}Z`)
  return `/api/v1/namespaces/${namespace}/pods/${pod}/log?${query}`
}

/** Whether the lines of a log have times of their own, by the last of them; undefined when there is no line yet. */
export async function tellsTime(asking: Asking, place: LogPlace, options: LogOptions): Promise<boolean | undefined> {
  const { head, body } = await openHead(asking, logPath(place, { since: undefined, tail: LAST_LINES }, false))
  body.close()
  return head.length === 0 ? undefined : hasTimes(head, options)
}

/** As many as are tried for a time. */
const LAST_LINES = 50

interface Head {
  readonly head: Uint8Array
  readonly body: Body
  /** What comes next is on its way: waited for, but not come. */
  readonly next: Promise<Uint8Array> | undefined
}

/** A log that is not followed comes at once: after this long without a byte, what has come must do. */
const QUIET_MS = 1000

/** Reads the first lines: as many as are tried for times, or as there are. One that gets stuck is not waited for. */
async function openHead(asking: Asking, path: string): Promise<Head> {
  const body = await openBody(asking, path)
  const room = new Uint8Array(HEAD)
  let length = 0
  try {
    while (length < room.length && !startsWithTime(room.subarray(0, length))) {
      const read = body.read(room.subarray(length))
      const count = room.includes(LINE_FEED) ? await unlessQuiet(read) : await read
      if (count === undefined) {
        const start = length
        const next = read.then((more) => room.subarray(start, start + more))
        // Whoever closes the log before it is read does not wait for it.
        next.catch(() => {})
        return { head: room.subarray(0, length), body, next }
      }
      if (count === 0) break
      length += count
    }
  } catch (error) {
    body.close()
    throw error
  }
  return { head: room.subarray(0, length), body, next: undefined }
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

/** What the kubelet says, instead of a log, when the runtime has it no more. */
const LOST = /^(?:unable to retrieve container logs for |failed to try resolving symlinks in path )/

function refuseLost(head: Uint8Array): void {
  if (head.length < 1024 && LOST.test(Buffer.from(head).toString('latin1'))) {
    throw new Missing('its log is gone: the node has rotated it away, or removed the container')
  }
}

async function hasTimes(head: Uint8Array, { reading }: LogOptions): Promise<boolean> {
  if (startsWithTime(head)) return true
  const isPlain = (reading.timestamps?.length ?? 0) === 0
  // To try all formats costs milliseconds, and there may be thousands of logs.
  if (isPlain && !MAY_BE_TIME.test(Buffer.from(head.buffer, head.byteOffset, head.length).toString('latin1')))
    return false
  const format = await decideFormat(head, reading)
  return format !== undefined && format.name !== 'none'
}

function withoutStamps(head: Uint8Array): Uint8Array {
  const room = new Uint8Array(head.length + MOST_HELD)
  return room.subarray(0, createStampFilter({ since: undefined, until: undefined, strip: true }).take(head, room))
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
      const piece = rest.subarray(0, into.length)
      into.set(piece)
      rest = rest.subarray(piece.length)
      return piece.length
    },
    async close() {
      body.close()
    },
  }
}

/** So much is filtered at a time. */
const PIECE = 64 * 1024

function filtered(stamped: Head, { since, until }: LogOptions, strip: boolean): Data {
  const whole = dataOf(stamped)
  const filter = createStampFilter({ since, until, strip })
  const piece = new Uint8Array(PIECE)
  let isRead = false
  return {
    ...whole,
    async read(into) {
      while (!isRead) {
        const count = await whole.read(piece.subarray(0, into.length - MOST_HELD))
        isRead = count === 0
        const written = isRead ? filter.rest(into) : filter.take(piece.subarray(0, count), into)
        isRead ||= filter.isOver
        if (written > 0) return written
      }
      return 0
    },
  }
}
