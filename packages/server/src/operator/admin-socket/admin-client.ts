import { request } from 'node:http'
import { Failure } from '../../failure.js'
import { type FieldError, PROBLEMS, Problem, type ProblemCode } from '../../problem.js'
import type { Operations } from '../operations.js'
import { type About, type CallName, OPERATION_NAMES, READING_CALLS } from './calls.js'
import { socketPath } from './socket-path.js'

/** Nobody listens at the socket: no server runs on this data directory, or it has just begun or ended. */
export class NoServer extends Error {
  override readonly name = 'NoServer'
}

export interface AdminClient {
  readonly operations: Operations
  about(): Promise<About>
}

/** Errors of a connection that never came about: nothing was asked yet. */
const NOBODY_THERE = new Set(['ENOENT', 'ECONNREFUSED', 'ENOTDIR'])

/**
 * Speaks with the server that runs on a data directory. Every call rejects with `NoServer` when there is none, and with the
 * `Problem` that the server answers.
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
 * Asks whether the server is there before it is told what to do: a connection that nobody has taken up yet is cut off when the
 * server ends, and then nothing was asked.
 */
function post(dataDir: string, name: CallName, body: string): Promise<{ status: number; text: string }> {
  const { path, release } = openPath(dataDir)
  const answered = new Promise<{ status: number; text: string }>((resolve, reject) => {
    let isTold = false
    const fail = (error: unknown) => reject(explain(error, { name, dataDir, isTold }))
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
      isTold = true
      // Not `end(body)`: behind a long body it writes nothing once more, which fails when the server has answered and closed by then.
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
    if (NOBODY_THERE.has(codeOf(error))) throw new NoServer('no data directory')
    throw error
  }
}

interface Call {
  readonly name: CallName
  readonly dataDir: string
  /** Whether the server was there and was told what to do. */
  readonly isTold: boolean
}

function explain(error: unknown, { name, dataDir, isTold }: Call): Error {
  const code = codeOf(error)
  if (NOBODY_THERE.has(code)) return new NoServer('no server listens')
  if (code === 'EACCES' || code === 'EPERM') {
    const advice = 'run this as the user that the server runs as'
    return new Failure('Operator', `${dataDir}/admin.sock: you have no permission to open it: ${advice}`)
  }
  // The server ended in the middle. What only reads can be asked again, elsewhere.
  if (READING_CALLS.has(name) || !isTold) return new NoServer('the server ended')
  return new Failure(
    'Operator',
    'the server ended in the middle of this: look with "omen-server audit" whether it happened, then try again',
  )
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? ''
}

function readAnswer(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Failure('Operator', 'what listens at the admin socket is no omen-server of this version')
  }
}

interface Refusal {
  readonly code?: unknown
  readonly detail?: unknown
  readonly reason?: unknown
  readonly errors?: readonly FieldError[]
  /** What the operator must solve where the server runs. */
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
