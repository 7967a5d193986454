import { spawn } from 'node:child_process'
import { PassThrough, type Readable } from 'node:stream'
import { type Api, ApiError, Unreachable } from './api.js'

/** The user's kubectl, and the flags that select the cluster and the user. */
export interface Kubectl {
  /** `kubectl`, from the PATH. */
  readonly program: string
  /** `--context`, `--kubeconfig` and `--as`. */
  readonly flags: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
}

export interface KubectlResult {
  /** Undefined if the program does not exist. */
  readonly status: number | undefined
  readonly out: string
  readonly err: string
}

/** kubectl's messages are shorter. */
const MAX_OUTPUT_LENGTH = 64 * 1024

const TIMEOUT_MS = 30_000

/**
 * Runs kubectl and waits for its end.
 *
 * @example
 * const { out } = await runKubectl(kubectl, ['config', 'view', '--minify', '-o', 'jsonpath={..namespace}'])
 */
export function runKubectl({ program, flags, env }: Kubectl, args: readonly string[]): Promise<KubectlResult> {
  return new Promise((resolve) => {
    const child = spawn(program, [...args, ...flags], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: TIMEOUT_MS,
      killSignal: 'SIGKILL',
    })
    const [out, err] = [collectOutput(child.stdout), collectOutput(child.stderr)]
    child.once('error', () => resolve({ status: undefined, out: '', err: '' }))
    child.once('close', (code) => resolve({ status: code ?? 1, out: out(), err: err() }))
  })
}

/** Collects the output of a program, up to a limit. */
export function collectOutput(stream: NodeJS.ReadableStream): () => string {
  let text = ''
  stream.on('data', (chunk: Buffer) => {
    if (text.length < MAX_OUTPUT_LENGTH) text += chunk.toString()
  })
  stream.on('error', () => {})
  return () => text
}

/** The HTTP status of each reason in kubectl's messages: `Error from server (NotFound): …`. */
const STATUSES: Readonly<Record<string, number>> = {
  BadRequest: 400,
  Unauthorized: 401,
  Forbidden: 403,
  NotFound: 404,
  Conflict: 409,
  Expired: 410,
  Gone: 410,
  Invalid: 422,
  TooManyRequests: 429,
  InternalError: 500,
  ServiceUnavailable: 503,
  Timeout: 504,
}

/** Each needs about forty megabytes, and a tenth of a second to start. */
const MAX_PROCESSES = 4

/** Starts kubectl for every request, where `kubectl proxy` cannot be used. Slower, and with more memory. */
export function openRaw({ program, flags, env }: Kubectl): Api {
  const running = new Set<() => void>()
  return {
    transport: 'kubectl get --raw',
    maxRequests: MAX_PROCESSES,
    get(path, signal) {
      return new Promise<Readable>((resolve, reject) => {
        const args = ['get', '--raw', path, ...flags]
        const child = spawn(program, args, { env, stdio: ['inherit', 'pipe', 'pipe'], signal, killSignal: 'SIGTERM' })
        const kill = () => child.kill()
        running.add(kill)
        const errors = collectOutput(child.stderr)
        child.once('error', (error) => reject(signal.aborted ? error : new Unreachable('kubectl cannot be started')))
        // The body ends only when the exit code is known: kubectl may fail in the middle.
        const body = new PassThrough()
        child.stdout.pipe(body, { end: false })
        body.once('close', () => child.stdout.destroy())
        // Before the first byte, kubectl may still fail.
        child.stdout.once('data', () => resolve(body))
        child.once('close', (code) => {
          running.delete(kill)
          if (code === 0) resolve(body.end())
          else reject(parseKubectlError(errors()))
          if (code !== 0) body.on('error', () => {}).destroy(new Error('the connection was closed'))
        })
      })
    },
    async close() {
      for (const kill of running) kill()
    },
  }
}

/** Turns the error message of kubectl into an error. */
export function parseKubectlError(text: string): Error {
  const [, reason, message] = /^Error from server(?: \((\w+)\))?: ([^\n]*)/m.exec(text) ?? []
  if (message === undefined) return new Unreachable(text.trim() || 'kubectl failed without a message')
  const [, status] = /^Unauthorized|You must be logged in/.test(message) ? ['', '401'] : []
  return new ApiError(Number(status ?? STATUSES[reason ?? ''] ?? 500), reason ?? '', message)
}
