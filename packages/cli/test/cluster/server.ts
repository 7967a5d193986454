import {
  createServer as createPlainServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { Server, Socket } from 'node:net'
import { listen } from '../receiver.js'
import { ADMINISTRATOR, authorize, type User } from './authorizer.js'
import { containerFor } from './container-for.js'
import { kubeconfigFor } from './kubeconfig.js'
import { type Follower, sendLog } from './log-response.js'
import { type ContainerLog, type LogLine, type LogRequest, readLogRequest } from './logs.js'
import type { KubeObject } from './objects.js'
import { pageOf } from './paging.js'
import { discovery, RESOURCES, type Resource, readResourcePath } from './resources.js'
import { type StatusError, statusError, statusOf } from './status.js'

export type { ContainerLog, LogLine } from './logs.js'
export { type StatusError, statusError } from './status.js'

/** A response of the server. */
export type ClusterResponse =
  | StatusError
  | { readonly json: object }
  | { readonly text: string; readonly code?: number }
  | { readonly beginning: string }
  | { readonly key: string; readonly log: ContainerLog; readonly request: LogRequest }
  | 'break'
  | 'no response'

export interface ClusterOptions {
  readonly objects?: readonly KubeObject[]
  /** By `namespace/pod/container`, and `namespace/pod/container/previous`. */
  readonly logs?: Readonly<Record<string, ContainerLog>>
  /** By token; without it, every requester is the administrator. */
  readonly users?: Readonly<Record<string, User>>
  /** Uses TLS with this key and certificate. */
  readonly tls?: { readonly key: string; readonly cert: string }
  /** The maximum number of items in a page, whatever the client requests. */
  readonly largestPage?: number
  /** Responds instead of the server, unless it returns undefined. */
  readonly interfere?: (request: SeenRequest) => ClusterResponse | undefined
}

export interface SeenRequest {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly token: string | undefined
}

/** A simulated API server. */
export interface Cluster {
  readonly port: number
  readonly url: string
  /** In the order of arrival. */
  readonly requests: readonly SeenRequest[]
  /** The maximum number of connections and logs that were open at once. */
  readonly most: { readonly connections: number; readonly logs: number }
  /** A kubeconfig for this server. */
  kubeconfig(options?: { readonly token?: string; readonly namespace?: string }): string
  /** Adds an object, or replaces one with the same name. */
  put(object: KubeObject): void
  remove(kind: string, name: string, namespace?: string): void
  setLog(key: string, log: ContainerLog): void
  /** Adds lines to a log, and sends them to its followers. */
  addLines(key: string, ...lines: readonly LogLine[]): void
  /** Ends the log for its followers, as when a container ends. */
  endLog(key: string): void
  /** Resolves when a number of clients follow the log. */
  followed(key: string, count?: number): Promise<void>
  /** The response to all requests while it is set. */
  interfere(how: ClusterOptions['interfere']): void
  close(): Promise<void>
}

/**
 * Starts an API server on a free port of this machine with the real paths, but without a cluster.
 *
 * @example
 * const cluster = await startCluster({ objects: [pod('web-1')], logs: { 'default/web-1/app': { lines } } })
 * writeFileSync(path, cluster.kubeconfig())
 */
export async function startCluster(options: ClusterOptions = {}): Promise<Cluster> {
  const objects = new Map<string, KubeObject>()
  const logs = new Map(Object.entries(options.logs ?? {}))
  const followers = new Map<string, Set<Follower>>()
  const breaks = new Map<string, number>()
  const requests: SeenRequest[] = []
  const most = { connections: 0, logs: 0 }
  const watchers = new Set<() => void>()
  let { interfere } = options
  const open = { connections: 0, logs: 0 }

  const put = (object: KubeObject) => void objects.set(keyOf(object), object)
  for (const object of options.objects ?? []) put(object)

  function handle(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? '/', 'http://cluster')
    const [, token] = /^Bearer (.*)$/.exec(request.headers.authorization ?? '') ?? []
    const seen = { method: request.method ?? '', path: url.pathname, query: url.searchParams, token }
    requests.push(seen)
    const reply = interfere?.(seen) ?? responseTo(seen)
    if (reply === 'break') request.socket.destroy()
    else if (reply !== 'no response') send(reply, response)
  }

  function responseTo(seen: SeenRequest): ClusterResponse {
    const user = options.users ? options.users[seen.token ?? ''] : ADMINISTRATOR
    if (!user) return statusError(401, 'Unauthorized')
    const known = discovery(seen.path)
    if (known) return { json: known }
    const path = readResourcePath(seen.path)
    if (!path) return { text: '404 page not found\n', code: 404 }
    const { resource, namespace, name, part } = path
    const verb = name === undefined ? 'list' : 'get'
    const denied = authorize(user, { verb, resource, part, namespace, name })
    if (denied) return denied
    if (name === undefined) return pageOf(objectsIn(resource, namespace), resource, seen.query, options.largestPage)
    const object = objects.get(keyIn(resource.kind, name, namespace))
    if (!object) return statusError(404, `${resource.plural}${groupSuffix(resource)} "${name}" not found`)
    if (part === undefined) return { json: object }
    if (part !== 'log') return statusError(404, 'the server could not find the requested resource')
    return logResponseTo(object, seen.query)
  }

  function objectsIn({ kind }: Resource, namespace: string | undefined): readonly KubeObject[] {
    const isThere = (object: KubeObject) => namespace === undefined || object.metadata.namespace === namespace
    return [...objects.values()].filter((object) => object.kind === kind && isThere(object))
  }

  function logResponseTo(pod: KubeObject, query: URLSearchParams): ClusterResponse {
    const request = readLogRequest(query, Date.now())
    if ('code' in request) return request
    const container = containerFor(pod, request)
    if ('code' in container) return container
    const { name, previous } = container
    const key = `${pod.metadata.namespace}/${pod.metadata.name}/${name}${previous ? '/previous' : ''}`
    const log = logs.get(key)
    if (previous && !log) {
      return statusError(400, `previous terminated container "${name}" in pod "${pod.metadata.name}" not found`)
    }
    // The log of a run that has ended does not grow.
    return log?.error ?? { key, log: log ?? {}, request: { ...request, follow: request.follow && !previous } }
  }

  function send(reply: Exclude<ClusterResponse, string>, response: ServerResponse): void {
    if ('key' in reply) {
      const { key, log, request } = reply
      open.logs++
      most.logs = Math.max(most.logs, open.logs)
      response.once('close', () => open.logs--)
      const follow = (follower: Follower) => join(key, follower)
      void sendLog(log, request, response, follow, () => mayBreak(key, log))
    } else if ('json' in reply) sendJson(response, 200, reply.json)
    else if ('beginning' in reply) sendBeginning(response, reply.beginning)
    else if ('text' in reply) response.writeHead(reply.code ?? 200).end(reply.text)
    else sendError(response, reply)
  }

  function mayBreak(key: string, log: ContainerLog | undefined): boolean {
    const before = breaks.get(key) ?? 0
    breaks.set(key, before + 1)
    return before < (log?.breaksTimes ?? Number.POSITIVE_INFINITY)
  }

  function join(key: string, follower: Follower): () => void {
    const group = followers.get(key) ?? new Set()
    followers.set(key, group.add(follower))
    for (const check of watchers) check()
    return () => group.delete(follower)
  }

  const server = makeServer(handle, options.tls)
  server.on('connection', (socket: Socket) => {
    open.connections++
    most.connections = Math.max(most.connections, open.connections)
    socket.once('close', () => {
      open.connections--
    })
  })
  const { port, close } = await listen(server)
  const url = `${options.tls ? 'https' : 'http'}://127.0.0.1:${port}`
  return {
    port,
    url,
    requests,
    most,
    kubeconfig: ({ token, namespace } = {}) => kubeconfigFor({ url, token, namespace, cert: options.tls?.cert }),
    put,
    remove: (kind, name, namespace = 'default') => void objects.delete(keyIn(kind, name, namespace)),
    setLog: (key, log) => void logs.set(key, log),
    addLines(key, ...lines) {
      logs.set(key, { ...logs.get(key), lines: [...(logs.get(key)?.lines ?? []), ...lines] })
      for (const line of lines) for (const follower of followers.get(key) ?? []) follower(line)
    },
    endLog(key) {
      for (const follower of followers.get(key) ?? []) follower('end')
    },
    followed: (key, count = 1) =>
      new Promise((resolve) => {
        const check = () => {
          if ((followers.get(key)?.size ?? 0) < count) return
          watchers.delete(check)
          resolve()
        }
        watchers.add(check)
        check()
      }),
    interfere(how) {
      interfere = how
    },
    close,
  }
}

function makeServer(handle: RequestListener, tls: ClusterOptions['tls']): Server {
  return tls ? createTlsServer(tls, handle) : createPlainServer(handle)
}

function keyOf({ kind, metadata }: KubeObject): string {
  return keyIn(kind, metadata.name, metadata.namespace)
}

function keyIn(kind: string, name: string, namespace: string | undefined): string {
  const isNamespaced = RESOURCES.find((resource) => resource.kind === kind)?.namespaced
  return `${kind} ${isNamespaced ? namespace : ''}/${name}`
}

function groupSuffix({ group }: Resource): string {
  return group === '' ? '' : `.${group}`
}

function sendJson(
  response: ServerResponse,
  code: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
) {
  response.writeHead(code, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

/** A response that stops, after which the connection breaks. */
function sendBeginning(response: ServerResponse, text: string): void {
  response.writeHead(200, { 'content-length': text.length + 1 }).write(text, () => response.destroy())
}

function sendError(response: ServerResponse, error: StatusError): void {
  const headers = error.retryAfter === undefined ? {} : { 'retry-after': String(error.retryAfter) }
  sendJson(response, error.code, statusOf(error), headers)
}
