import { spawn } from 'node:child_process'
import { PassThrough, type Readable } from 'node:stream'
import { type Api, Refused, Unreachable } from './api.js'
import { type Kubectl, keepWords } from './kubectl.js'

/** The statuses of the reasons with which kubectl words a refusal: `Error from server (NotFound): …`. */
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

/** Each takes some forty megabytes, and a tenth of a second to start. */
const MOST_PROCESSES = 4

/**
 * The way for where `kubectl proxy` cannot be used: a process of kubectl for every request. Slower, and more memory for every
 * one of them; but nothing listens anywhere.
 */
export function openRaw({ program, flags, env }: Kubectl): Api {
  const running = new Set<() => void>()
  return {
    way: 'kubectl get --raw',
    most: MOST_PROCESSES,
    get(path, signal) {
      return new Promise<Readable>((resolve, reject) => {
        const words = ['get', '--raw', path, ...flags]
        const child = spawn(program, words, { env, stdio: ['inherit', 'pipe', 'pipe'], signal, killSignal: 'SIGTERM' })
        const kill = () => child.kill()
        running.add(kill)
        const said = keepWords(child.stderr)
        child.once('error', (error) => reject(signal.aborted ? error : new Unreachable('kubectl cannot be started')))
        // How kubectl ended is known after the end of what it wrote, which until then may be where it broke off.
        const body = new PassThrough()
        child.stdout.pipe(body, { end: false })
        body.once('close', () => child.stdout.destroy())
        // The first byte says that there is an answer: until then it may become a refusal.
        child.stdout.once('data', () => resolve(body))
        child.once('close', (code) => {
          running.delete(kill)
          if (code === 0) resolve(body.end())
          else reject(refusalFrom(said()))
          if (code !== 0) body.on('error', () => {}).destroy(new Error('the connection was closed'))
        })
      })
    },
    async close() {
      for (const kill of running) kill()
    },
  }
}

/** What kubectl's own words say. */
export function refusalFrom(text: string): Error {
  const [, reason, message] = /^Error from server(?: \((\w+)\))?: ([^\n]*)/m.exec(text) ?? []
  if (message === undefined) return new Unreachable(text.trim() || 'kubectl failed and said nothing')
  const [, status] = /^Unauthorized|You must be logged in/.test(message) ? ['', '401'] : []
  return new Refused(Number(status ?? STATUSES[reason ?? ''] ?? 500), reason ?? '', message)
}
