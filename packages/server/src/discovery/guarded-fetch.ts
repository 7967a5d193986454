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
  /** For development: allows `http://` and addresses that are not public. Redirects stay forbidden. */
  readonly allowInsecure: boolean
  readonly resolve?: Resolve
  /** Milliseconds for a request, from the DNS lookup to the last byte of the response. */
  readonly timeout?: number
  /** The largest response, in bytes. */
  readonly limit?: number
  /** Says why an address is not public; undefined for a public address. */
  readonly explainAddress?: (address: string) => string | undefined
  /** Certificates that are trusted instead of the default ones, in PEM. */
  readonly ca?: string
}

export interface GuardedRequest {
  readonly method?: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export interface GuardedResponse {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Uint8Array
}

/** Requests to URLs from outside. A request that is not allowed or fails rejects with a `FetchFailure`. */
export interface GuardedFetch {
  /** Parses a URL and checks it without a DNS lookup. */
  read(url: string): URL
  /** Checks a URL as `fetch` does, with a DNS lookup but without a connection. */
  check(url: string): Promise<void>
  fetch(url: string, request?: GuardedRequest): Promise<GuardedResponse>
}

const TIMEOUT = 5000
const LIMIT = 256 * 1024

/** By default, Node.js tries the next address after 250 ms, which is too short for distant hosts. */
const ATTEMPT_TIMEOUT = 1000

const HEADERS = {
  accept: 'application/json',
  // A small compressed response could expand to any size.
  'accept-encoding': 'identity',
  'user-agent': 'omen-server',
}

/**
 * Makes a client for URLs from outside, protected against SSRF. The host is looked up once, all of its addresses must be public,
 * and the connection uses one of them, so a second lookup cannot return another address. No redirect is followed and no proxy is
 * used; time and size of a response are bounded; each request has its own connection.
 *
 * @example
 * const guarded = createGuardedFetch({ allowInsecure: false })
 * const { status, body } = await guarded.fetch('https://idp.acme.com/.well-known/openid-configuration')
 */
export function createGuardedFetch(options: GuardedFetchOptions): GuardedFetch {
  const { timeout = TIMEOUT } = options
  return {
    read: (url) => readUrl(url, options),
    check: (url) =>
      withinTime(timeout, async (signal) => {
        await findAddresses(readUrl(url, options), options, signal)
      }),
    fetch: (requested, request = {}) =>
      withinTime(timeout, async (signal) => {
        const url = readUrl(requested, options)
        const addresses = await findAddresses(url, options, signal)
        return await readResponse(await send(url, addresses, request, options, signal), url, options.limit ?? LIMIT)
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
    throw new FetchFailure('too_slow', `there was no complete response within ${timeout / 1000} s`, { cause: error })
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
    // The address is not shown: it would reveal names of the private network.
    if (reason !== undefined) {
      const message = `${quote(host)} resolves to ${reason}; only public addresses are allowed`
      throw new FetchFailure('refused', message, { advice: REACHABLE })
    }
  }
  return addresses
}

async function resolveHost(host: string): Promise<readonly string[]> {
  const found = await lookUpHost(host, { all: true })
  return found.map(({ address }) => address)
}

/** A DNS lookup cannot be cancelled; its result is ignored. */
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
    lookup: lookupOf(addresses),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: ATTEMPT_TIMEOUT,
    rejectUnauthorized: true,
    ...(ca === undefined ? {} : { ca }),
  }
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, options)
    request.on('response', resolve)
    request.on('error', reject)
    // An unexpected protocol switch closes a request without a response or an error.
    request.on('close', () => reject(Object.assign(new Error('no response'), { code: 'ECONNRESET' })))
    request.end(body)
  })
}

/** Replaces the DNS lookup by the addresses that have been checked. */
function lookupOf(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIP(address) }))
  return (_host, { all }, callback) => {
    const [first] = found
    if (all === true || first === undefined) callback(null, found)
    else callback(null, first.address, first.family)
  }
}

async function readResponse(message: IncomingMessage, url: URL, limit: number): Promise<GuardedResponse> {
  const { headers, statusCode: status = 0 } = message
  try {
    checkRedirect(status, headers.location, url)
    checkEncoding(headers['content-encoding'])
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

function checkRedirect(status: number, location: string | undefined, url: URL): void {
  if (status < 300 || status > 399) return
  const target = location !== undefined && URL.canParse(location, url) ? new URL(location, url) : undefined
  const isShown = target !== undefined && target.username === '' && target.password === ''
  const where = isShown ? quote(target.href) : 'another address'
  const advice = 'If that is the correct URL, send it instead.'
  throw new FetchFailure('redirected', `it redirects to ${where}, but redirects are not followed`, { advice })
}

function checkEncoding(encoding: string | undefined): void {
  if (encoding === undefined || /^(identity)?$/i.test(encoding.trim())) return
  throw new FetchFailure('unreachable', `its response is compressed (${quote(encoding)}), which was not requested`)
}

function tooLarge(limit: number): FetchFailure {
  return new FetchFailure('too_large', `its response is larger than ${limit / 1024} KiB`)
}

/** A JSON object from outside: its members may have any type. */
export type Document = Readonly<Record<string, unknown>>

/**
 * Reads the JSON object in a response, whatever its `Content-Type`. Throws a `FetchFailure` if there is none.
 *
 * @example
 * readJsonObject(await guarded.fetch(url)).issuer
 */
export function readJsonObject({ body }: GuardedResponse): Document {
  const text = decode(body)
  const value = text === undefined ? undefined : parse(text)
  if (value === undefined) {
    const isPage = text !== undefined && /^\s*<(?:!doctype|html|\?xml|head|body)/i.test(text)
    throw new FetchFailure('unreachable', isPage ? 'its response is a web page, not JSON' : 'its response is not JSON')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new FetchFailure('unreachable', `its response is ${quote(value)}, not a JSON object`)
  }
  return value as Document
}

function decode(body: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch {
    return undefined
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
