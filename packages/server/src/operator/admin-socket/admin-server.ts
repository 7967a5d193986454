import { rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { Failure } from '../../failure.js'
import { Problem } from '../../problem.js'
import type { Operations } from '../operations.js'
import { type About, OPERATION_CALLS, OPERATION_NAMES } from './calls.js'
import { socketPath } from './socket-path.js'

export interface AdminServer {
  /** Takes no more calls; resolves when those in progress are done. */
  close(): Promise<void>
}

export interface AdminServerOptions {
  readonly dataDir: string
  readonly operations: Operations
  readonly about: About
  /** Called with unexpected errors. */
  readonly onError: (error: unknown) => void
}

/** A piece of a release in base64, with room for the other fields. */
const LARGEST_BODY = 512 * 1024

/** Only the owner may write to a socket created under this mask, and so only the owner can connect. */
const OWNER_ONLY = 0o177

/**
 * Lets the operator's commands work beside a server that holds the embedded database: HTTP over a socket in the data directory
 * that only the owner can open. The caller holds the lock of the database, so an existing socket is a leftover.
 *
 * @example
 * const admin = await openAdminSocket({ dataDir, operations, about, onError })
 */
export async function openAdminSocket({
  dataDir,
  operations,
  about,
  onError,
}: AdminServerOptions): Promise<AdminServer> {
  const server = createServer((request, response) => {
    answer(request, operations, about)
      .catch((error: unknown) => problemAnswer(error, onError))
      .then(({ status, body }) => send(response, status, body))
  })
  rmSync(join(dataDir, 'admin.sock'), { force: true })
  const { path, release } = socketPath(dataDir)
  try {
    await listen(server, path)
  } catch (error) {
    release()
    throw error
  }
  return {
    async close() {
      await new Promise<void>((resolve) => server.close(() => resolve()))
      release()
    },
  }
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    // The socket is created before `listen` returns, so that no other file is created under this mask.
    const before = process.umask(OWNER_ONLY)
    try {
      server.listen(path, () => {
        server.off('error', reject)
        resolve()
      })
    } finally {
      process.umask(before)
    }
  })
}

interface Answer {
  readonly status: number
  readonly body: unknown
}

async function answer(request: IncomingMessage, operations: Operations, about: About): Promise<Answer> {
  const name = (request.url ?? '').slice(1)
  if (request.method !== 'POST') throw new Problem('method_not_allowed', 'The admin socket takes POST only.')
  const argument = await readArgument(request)
  if (name === 'about') return { status: 200, body: about }
  const call = OPERATION_NAMES.find((known) => known === name)
  if (call === undefined) {
    throw new Problem(
      'not_found',
      'The server does not know this request. Use the same version of omen-server for both.',
    )
  }
  return { status: 200, body: await OPERATION_CALLS[call](operations, argument) }
}

async function readArgument(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > LARGEST_BODY) throw new Problem('body_too_large', 'The argument is larger than 512 KiB.')
    chunks.push(chunk)
  }
  const text = Buffer.concat(chunks).toString('utf8')
  try {
    return text === '' ? undefined : JSON.parse(text)
  } catch {
    throw new Problem('invalid_json', 'The argument is not JSON.')
  }
}

function problemAnswer(error: unknown, onError: (error: unknown) => void): Answer {
  if (error instanceof Failure) return { status: 500, body: { failure: error.message, hint: error.hint } }
  if (!(error instanceof Problem)) onError(error)
  const problem = error instanceof Problem ? error : new Problem('internal', 'The server failed. See its log.')
  const { code, status, message: detail, errors } = problem
  // The reason of a database failure is for the operator, and only the operator can open the socket.
  const reason = code === 'unavailable' && problem.cause instanceof Error ? { reason: problem.cause.message } : {}
  return { status, body: { code, detail, ...reason, ...(errors === undefined ? {} : { errors }) } }
}

function send(response: ServerResponse, status: number, body: unknown): void {
  // One request for each connection: a stopping server waits only for requests in progress.
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close' })
  response.end(JSON.stringify(body ?? null))
}
