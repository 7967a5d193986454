import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { gzipSync } from 'node:zlib'
import { packRules } from '@omen/engine'
import { listen } from './receiver.js'

/** A pair of keys, with the ID and fingerprint that the service publishes. */
export interface KeyPair {
  readonly privateKey: KeyObject
  readonly pem: string
  readonly id: string
  readonly fingerprint: string
}

export function makeKeys(): KeyPair {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const digest = createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest()
  return {
    privateKey,
    pem: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    id: digest.toString('hex').slice(0, 16),
    fingerprint: `SHA256:${digest.toString('base64')}`,
  }
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** A package of the service. */
export interface Package {
  readonly version: string
  readonly file: string
  readonly bytes: Buffer
  readonly notes?: string
}

/** A rule that matches lines with this word. */
export function ruleFor(id: string, word: string, padding = ''): string {
  return `rules:
  - cre: {id: ${id}, severity: 1, title: ${word} was found, description: "${padding}"}
    rule: {set: {event: {source: cre.log.test}, match: [${word}]}}
`
}

/** Packs rules like the operator of the service. `random` characters make the compressed package large. */
export async function makePackage(
  version: string,
  { id = 'CRE-2026-90001', word = 'disk full', kind = 'public', inside = version, notes = '', random = 0 } = {},
): Promise<Package> {
  const document = { name: 'rule.yaml', text: ruleFor(id, word, noise(random)) }
  const { text } = await packRules([document], { version: inside })
  const bytes = gzipSync(text)
  const file = `omen-${kind}-cre-rules.${version}.${sha256(bytes).slice(0, 12)}.yaml.gz`
  return { version, file, bytes, ...(notes && { notes }) }
}

/** Empties a configuration directory except for the compiled code, without which every start takes twice as long. */
export function clearConfiguration(folder: string): void {
  mkdirSync(folder, { recursive: true })
  for (const name of readdirSync(folder))
    if (name !== 'cache') rmSync(`${folder}/${name}`, { recursive: true, force: true })
}

/** Writes a package into a folder as an installation does. */
export function putInPlace(folder: string, { file, bytes }: Package, signer: KeyPair): void {
  writeFileSync(`${folder}/${file}`, bytes)
  writeFileSync(`${folder}/${file}.sha256`, `${sha256(bytes)}  ${file}\n`)
  writeFileSync(`${folder}/${file}.sig`, sign('sha256', bytes, signer.privateKey))
}

/** The lines of `config.yaml` that trust a service. */
export function trusting(url: string, keys: readonly KeyPair[]): string {
  const list = keys.map(({ pem }) => `    - |\n${pem.replaceAll(/^(?=.)/gm, '      ')}`).join('')
  return `service:\n  url: ${url}\nupdates:\n  publicKeys:\n${list}`
}

/** A fixed string that cannot be compressed much. */
function noise(length: number): string {
  let text = ''
  for (let i = 0; text.length < length; i++) text += createHash('sha256').update(String(i)).digest('base64url')
  return text.slice(0, length)
}

/** Handles a request; false leaves it to the service. */
export type Handler = (request: IncomingMessage, response: ServerResponse) => boolean | undefined

export interface SeenRequest {
  readonly path: string
  readonly headers: IncomingMessage['headers']
}

/** The update API of an omen-server. */
export interface ReleaseService {
  readonly url: string
  readonly port: number
  readonly requests: SeenRequest[]
  /** The offered packages; a test may change them at any time. */
  rules: Package | undefined
  private: Package | undefined
  tool:
    | { readonly version: string; readonly bytes: Buffer; readonly platform: string; readonly notes?: string }
    | undefined
  signer: KeyPair
  /** The keys that it publishes. */
  keys: readonly KeyPair[]
  /** Called before the service handles a request. */
  handle: Handler | undefined
  /** Changes the announcement. */
  announce: ((announcement: Record<string, unknown>) => unknown) | undefined
  /** The response to `GET /v1/rules/latest`. */
  latest(): string
  close(): Promise<void>
}

/** Starts a service, with TLS if there is a certificate. */
export async function startService(
  signer: KeyPair,
  certificate?: { readonly key: string; readonly cert: string },
): Promise<ReleaseService> {
  const requests: SeenRequest[] = []
  const listener: RequestListener = (request, response) => {
    const path = request.url ?? ''
    requests.push({ path, headers: request.headers })
    if (service.handle?.(request, response)) return
    respond(service, request, response)
  }
  const server = certificate ? createHttpsServer(certificate, listener) : createHttpServer(listener)
  const started = await listen(server)
  const host = certificate ? `https://localhost:${started.port}` : `http://127.0.0.1:${started.port}`
  const service: ReleaseService = {
    ...started,
    url: host,
    requests,
    rules: undefined,
    private: undefined,
    tool: undefined,
    signer,
    keys: [signer],
    handle: undefined,
    announce: undefined,
    latest: () => announcementOf(service),
  }
  return service
}

function announcementOf(service: ReleaseService): string {
  const { url, rules, private: own, tool } = service
  const packageOf = ({ version, file, bytes, notes }: Package) => ({
    version,
    file,
    size: bytes.length,
    sha256: sha256(bytes),
    url: `${url}/v1/rules/${file}`,
    sha256_url: `${url}/v1/rules/${file}.sha256`,
    sig_url: `${url}/v1/rules/${file}.sig`,
    ...(notes !== undefined && { notes }),
  })
  const announcement = {
    ...(rules && { rules: packageOf(rules) }),
    ...(own && { private: packageOf(own) }),
    ...(tool && {
      tool: {
        version: tool.version,
        files: [
          {
            platform: tool.platform,
            size: tool.bytes.length,
            sha256: sha256(tool.bytes),
            url: `${url}/v1/tool/omen-${tool.version}-${tool.platform}`,
            sig_url: `${url}/v1/tool/omen-${tool.version}-${tool.platform}.sig`,
          },
        ],
        ...(tool.notes !== undefined && { notes: tool.notes }),
      },
    }),
    unknown: 'a field of a newer service',
  }
  return JSON.stringify(service.announce ? service.announce(announcement) : announcement)
}

function respond(service: ReleaseService, request: IncomingMessage, response: ServerResponse): void {
  const { pathname } = new URL(request.url ?? '', service.url)
  if (pathname.endsWith('/v1/rules/latest')) {
    const text = service.latest()
    const etag = `"${sha256(Buffer.from(text)).slice(0, 16)}"`
    if (request.headers['if-none-match'] === etag) response.writeHead(304, { etag }).end()
    else response.writeHead(200, { etag, 'content-type': 'application/json' }).end(text)
    return
  }
  if (pathname.endsWith('/v1/rules/keys')) {
    const keys = service.keys.map(({ id, pem, fingerprint }) => ({ id, pem, fingerprint }))
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ keys }))
    return
  }
  const bytes = filesOf(service).get(pathname)
  if (bytes === undefined) response.writeHead(404).end()
  else sendFile(bytes, request, response)
}

function filesOf({ rules, private: own, tool, signer }: ReleaseService): ReadonlyMap<string, Buffer> {
  const files = new Map<string, Buffer>()
  const signature = (bytes: Buffer) => sign('sha256', bytes, signer.privateKey)
  for (const { file, bytes } of [rules, own].filter((one) => one !== undefined)) {
    files.set(`/v1/rules/${file}`, bytes)
    files.set(`/v1/rules/${file}.sha256`, Buffer.from(`${sha256(bytes)}  ${file}\n`))
    files.set(`/v1/rules/${file}.sig`, signature(bytes))
  }
  if (tool) {
    files.set(`/v1/tool/omen-${tool.version}-${tool.platform}`, tool.bytes)
    files.set(`/v1/tool/omen-${tool.version}-${tool.platform}.sig`, signature(tool.bytes))
  }
  return files
}

/** Sends a file with a strong ETag, or a range of it. */
export function sendFile(bytes: Buffer, { headers }: IncomingMessage, response: ServerResponse): void {
  const etag = `"${sha256(bytes)}"`
  const [, from] = /^bytes=(\d+)-$/.exec(headers.range ?? '') ?? []
  if (from === undefined || (headers['if-range'] ?? etag) !== etag) {
    response.writeHead(200, { etag, 'content-length': bytes.length }).end(bytes)
    return
  }
  const rest = bytes.subarray(Number(from))
  const range = `bytes ${from}-${bytes.length - 1}/${bytes.length}`
  response.writeHead(206, { etag, 'content-length': rest.length, 'content-range': range }).end(rest)
}
