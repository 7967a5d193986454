import { request } from 'node:http'
import { Failure } from '../../failure.js'
import { type FieldError, PROBLEMS, Problem, type ProblemCode } from '../../problem.js'
import type { Operations } from '../operations.js'
import { type About, type CallName, OPERATION_NAMES, READING_CALLS } from './calls.js'
import { socketPath } from './socket-path.js'

/** No server listens on the socket: none runs on this data directory, or it has just started or ended. */
export class NoServer extends Error {
  override readonly name = 'NoServer'
}

export interface AdminClient {
  readonly operations: Operations
  about(): Promise<About>
}

/** Errors of a connection that was never made: no request was sent. */
const NOT_LISTENING = new Set(['ENOENT', 'ECONNREFUSED', 'ENOTDIR'])

/**
 * Sends requests to the server that runs on a data directory. Every call rejects with `NoServer` when there is none, and with the
 * `Problem` in the server's response.
 *
 * @example
 * const codes = await createAdminClient('/var/lib/omen').operations.listCodes()
 */
export function createAdminClient(dataDir: string): AdminClient {
  const calls = OPERATION_NAMES.map((name) => [name, (argument: unknown) => call(dataDir, name, argument)])
  return {
    operations: Object.fromEntries(calls) as unknown as Operations,
    about: () => call(dataDir, 'about', undefined) as Promise<About>,
  }
}

async function call(dataDir: string, name: CallName, argument: unknown): Promise<unknown> {
  // Something is always sent, so that nothing happens before it.
  const { status, text } = await post(dataDir, name, JSON.stringify(argument) ?? 'null')
  const body = readAnswer(text)
  if (status === 200) return body
  throw asError(body)
}

/**
 * Checks that the server is there before the request is sent: a connection that is not accepted yet is closed when the
 * server ends, and then no request was sent.
 */
function post(dataDir: string, name: CallName, body: string): Promise<{ status: number; text: string }> {
  const { path, release } = openPath(dataDir)
  const answered = new Promise<{ status: number; text: string }>((resolve, reject) => {
    let isSent = false
    const fail = (error: unknown) => reject(explain(error, { name, dataDir, isSent }))
    const headers = { 'content-length': Buffer.byteLength(body), expect: '100-continue' }
    const sent = request({ socketPath: path, method: 'POST', path: `/${name}`, agent: false, headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', fail)
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') })
      })
    })
    sent.on('error', fail)
    sent.once('continue', () => {
      isSent = true
      // Not `end(body)`: after a long body it writes an empty chunk, which fails when the server has already responded and closed.
      sent.write(body, () => sent.end())
    })
    sent.flushHeaders()
  })
  return answered.finally(release)
}

function openPath(dataDir: string): ReturnType<typeof socketPath> {
  try {
    return socketPath(dataDir)
  } catch (error) {
    if (NOT_LISTENING.has(codeOf(error))) throw new NoServer('no data directory')
    throw error
  }
}

interface Call {
  readonly name: CallName
  readonly dataDir: string
  /** Whether the server was there and received the request. */
  readonly isSent: boolean
}

function explain(error: unknown, { name, dataDir, isSent }: Call): Error {
  const code = codeOf(error)
  if (NOT_LISTENING.has(code)) return new NoServer('no server listens')
  if (code === 'EACCES' || code === 'EPERM') {
    const advice = 'run this command as the user of the server'
    return new Failure('Operator', `${dataDir}/admin.sock: you have no permission to open it: ${advice}`)
  }
  // The server ended during the request. A request that only reads can be sent again, elsewhere.
  if (READING_CALLS.has(name) || !isSent) return new NoServer('the server ended')
  return new Failure(
    'Operator',
    'the server ended during this command: check with "omen-server audit" whether it happened, then try again',
  )
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? ''
}

function readAnswer(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Failure('Operator', 'the process at the admin socket is not an omen-server of this version')
  }
}

interface Refusal {
  readonly code?: unknown
  readonly detail?: unknown
  readonly reason?: unknown
  readonly errors?: readonly FieldError[]
  /** A failure that the operator must solve on the machine of the server. */
  readonly failure?: unknown
  readonly hint?: unknown
}

function asError(body: unknown): Problem | Failure {
  const { code, detail, reason, errors, failure, hint } = (body ?? {}) as Refusal
  if (typeof failure === 'string') return new Failure('Operator', failure, typeof hint === 'string' ? { hint } : {})
  const known = typeof code === 'string' && Object.hasOwn(PROBLEMS, code) ? (code as ProblemCode) : 'internal'
  const cause = typeof reason === 'string' ? { cause: new Error(reason) } : {}
  return new Problem(known, String(detail), { ...cause, ...(errors === undefined ? {} : { errors }) })
}
