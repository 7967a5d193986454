import { lookup as lookUpHost } from 'node:dns/promises'
import { type IncomingHttpHeaders, type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { quote } from '@omen/engine/messages'
import { explainNetworkError, FetchFailure, REACHABLE } from './fetch-failure.js'
import { explainAddress } from './public-address.js'
import { hostOf, readUrl } from './read-url.js'

/** Gives all addresses of a host. */
export type Resolve = (host: string) => Promise<readonly string[]>

export interface GuardedFetchOptions {
  /** For development: lets `http://` and addresses that are not public pass. Redirects stay forbidden. */
  readonly allowInsecure: boolean
  readonly resolve?: Resolve
  /** Milliseconds for a request, from the question to the name server to the last byte of the answer. */
  readonly timeout?: number
  /** Bytes that an answer may have. */
  readonly limit?: number
  /** Says why an address is not public; nothing when it is. */
  readonly explainAddress?: (address: string) => string | undefined
  /** Certificates that are trusted instead of the usual ones, in PEM. */
  readonly ca?: string
}

export interface GuardedRequest {
  readonly method?: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export interface GuardedAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Uint8Array
}

/** Requests to addresses that strangers give. What is not allowed, or has no answer, is a `FetchFailure`. */
export interface GuardedFetch {
  /** Judges a URL by its text alone. */
  read(url: string): URL
  /** Judges a URL as `fetch` does, with a question to the name server and no connection. */
  check(url: string): Promise<void>
  fetch(url: string, request?: GuardedRequest): Promise<GuardedAnswer>
}

const TIMEOUT = 5000
const LIMIT = 256 * 1024

/** Node.js gives an address 250 ms before it turns to the next, which is too short for the other side of the earth. */
const ATTEMPT_TIMEOUT = 1000

const HEADERS = {
  accept: 'application/json',
  // A compressed answer is small on the wire and of any size afterwards.
  'accept-encoding': 'identity',
  'user-agent': 'omen-server',
}

/**
 * Makes the function with which the service goes to an address that a stranger gave. The host is looked up once, each of its
 * addresses must be public, and the connection goes to one of these: no second look-up that may answer differently. No
 * redirect is followed, no proxy is used, the time and the size of an answer are bounded, and a connection serves one request.
 *
 * @example
 * const guarded = createGuardedFetch({ allowInsecure: false })
 * const { status, body } = await guarded.fetch('https://idp.acme.com/.well-known/openid-configuration')
 */
export function createGuardedFetch(options: GuardedFetchOptions): GuardedFetch {
  const { timeout = TIMEOUT } = options
  return {
    read: (text) => readUrl(text, options),
    check: (text) =>
      withinTime(timeout, async (signal) => {
        await findAddresses(readUrl(text, options), options, signal)
      }),
    fetch: (text, request = {}) =>
      withinTime(timeout, async (signal) => {
        const url = readUrl(text, options)
        const addresses = await findAddresses(url, options, signal)
        return await readAnswer(await send(url, addresses, request, options, signal), url, options.limit ?? LIMIT)
      }),
  }
}

async function withinTime<T>(timeout: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const over = new AbortController()
  const timer = setTimeout(() => over.abort(), timeout)
  try {
    return await work(over.signal)
  } catch (error) {
    if (!over.signal.aborted) throw explainNetworkError(error)
    throw new FetchFailure('too_slow', `there is no complete answer within ${timeout / 1000} s`, { cause: error })
  } finally {
    clearTimeout(timer)
    over.abort()
  }
}

async function findAddresses(url: URL, options: GuardedFetchOptions, signal: AbortSignal): Promise<readonly string[]> {
  const host = hostOf(url)
  if (isIP(host) !== 0) return [host]
  const addresses = await unlessAborted((options.resolve ?? resolveHost)(host), signal)
  if (addresses.length === 0) throw Object.assign(new Error('no address'), { code: 'ENOTFOUND' })
  if (options.allowInsecure) return addresses
  for (const address of addresses) {
    const reason = (options.explainAddress ?? explainAddress)(address)
    // The address itself stays untold: it would answer strangers' questions about the names of this network.
    if (reason !== undefined) {
      const words = `${quote(host)} leads to ${reason}; only public addresses are allowed`
      throw new FetchFailure('refused', words, { advice: REACHABLE })
    }
  }
  return addresses
}

async function resolveHost(host: string): Promise<readonly string[]> {
  const found = await lookUpHost(host, { all: true })
  return found.map(({ address }) => address)
}

/** A name server cannot be interrupted, only left. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    work.then(resolve, reject)
  })
}

function send(
  url: URL,
  addresses: readonly string[],
  { method = 'GET', headers, body }: GuardedRequest,
  { ca }: GuardedFetchOptions,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const options = {
    method,
    headers: { ...HEADERS, ...headers, ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }) },
    signal,
    agent: false,
    lookup: answerWith(addresses),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: ATTEMPT_TIMEOUT,
    rejectUnauthorized: true,
    ...(ca === undefined ? {} : { ca }),
  }
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, options)
    request.on('response', resolve)
    request.on('error', reject)
    // A protocol switch that nobody asked for ends a request with neither an answer nor an error.
    request.on('close', () => reject(Object.assign(new Error('no answer'), { code: 'ECONNRESET' })))
    request.end(body)
  })
}

/** Stands in the place of the name server: the addresses are known and checked. */
function answerWith(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIP(address) }))
  return (_host, { all }, callback) => {
    const [first] = found
    if (all === true || first === undefined) callback(null, found)
    else callback(null, first.address, first.family)
  }
}

async function readAnswer(message: IncomingMessage, url: URL, limit: number): Promise<GuardedAnswer> {
  const { headers, statusCode: status = 0 } = message
  try {
    refuseRedirect(status, headers.location, url)
    refuseEncoding(headers['content-encoding'])
    if (Number(headers['content-length']) > limit) throw tooLarge(limit)
    const chunks: Uint8Array[] = []
    let size = 0
    for await (const chunk of message as AsyncIterable<Uint8Array>) {
      size += chunk.length
      if (size > limit) throw tooLarge(limit)
      chunks.push(chunk)
    }
    return { status, headers, body: Buffer.concat(chunks) }
  } finally {
    message.destroy()
  }
}

function refuseRedirect(status: number, location: string | undefined, url: URL): void {
  if (status < 300 || status > 399) return
  const target = location !== undefined && URL.canParse(location, url) ? new URL(location, url) : undefined
  const isShown = target !== undefined && target.username === '' && target.password === ''
  const where = isShown ? quote(target.href) : 'another address'
  const advice = 'If that is the right address, send it instead.'
  throw new FetchFailure('redirected', `it redirects to ${where}, and redirects are not followed`, { advice })
}

function refuseEncoding(encoding: string | undefined): void {
  if (encoding === undefined || /^(identity)?$/i.test(encoding.trim())) return
  throw new FetchFailure(
    'unreachable',
    `its answer is compressed (${quote(encoding)}), though a plain one was asked for`,
  )
}

function tooLarge(limit: number): FetchFailure {
  return new FetchFailure('too_large', `its answer is larger than ${limit / 1024} KiB`)
}
