import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const BUILT = fileURLToPath(new URL('../../../../packages/server/dist/omen-server.js', import.meta.url))

/** The highest limit that can be set: more requests a minute than any round sends. */
const NO_LIMIT = '1000000'

/** Longer than any benchmark. */
const LIFETIME_MS = 30 * 24 * 3_600_000

/** The service under test, as built: everything that the benchmark knows about its command line is in this file. */
export interface ServerSubject {
  readonly program: string
}

/** The service as built in this checkout, or another build of it. */
export function findServer(program: string = BUILT): ServerSubject {
  if (!existsSync(program)) throw new Error(`the service is not built: ${program} is missing (npm run build)`)
  return { program }
}

export interface ServiceFiles {
  /** A folder for the data directory and the log. */
  readonly folder: string
  /** PostgreSQL; the embedded database without it. */
  readonly databaseUrl?: string
}

/** A running service. */
export interface Service {
  /** Without a slash at the end. */
  readonly url: string
  readonly pid: number
  issueCode(organization: string): Promise<string>
  stop(): Promise<void>
}

/**
 * Starts the service as an operator would, with its limits raised. It logs as it does in production, to a file.
 *
 * @example
 * const service = await startService(findServer(), { folder, databaseUrl })
 */
export async function startService(subject: ServerSubject, files: ServiceFiles): Promise<Service> {
  const log = join(files.folder, 'omen-server.log')
  const errors = openSync(log, 'a')
  const limits = ['--limit-code-tries', '--limit-calls', '--limit-sign-ins'].flatMap((flag) => [flag, NO_LIMIT])
  const args = ['--port', '0', '--allow-insecure-idp', ...limits]
  const child = spawn(process.execPath, [subject.program, ...args], {
    cwd: files.folder,
    env: environment(files),
    stdio: ['ignore', 'pipe', errors],
  })
  closeSync(errors)
  const url = await addressOf(child, log)
  return {
    url,
    pid: child.pid!,
    issueCode: (organization) => issueCode(subject, files, organization),
    stop: () => stop(child),
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  await gone
}

function addressOf(child: ChildProcess, log: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let written = ''
    child.stdout!.setEncoding('utf8').on('data', (text: string) => {
      written += text
      const found = /^omen-server listens on (http:\S+)$/m.exec(written)
      if (found) resolve(found[1]!)
    })
    child.once('error', reject)
    child.once('exit', (status) => {
      reject(new Error(`omen-server ended with ${status}: ${readFileSync(log, 'utf8').slice(0, 500)}`))
    })
  })
}

async function issueCode({ program }: ServerSubject, files: ServiceFiles, organization: string): Promise<string> {
  const expires = new Date(Date.now() + LIFETIME_MS).toISOString().slice(0, 10)
  const args = [program, 'code', 'issue', '--org', organization, '--expires', expires, '--json']
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    cwd: files.folder,
    env: environment(files),
  })
  return (JSON.parse(stdout) as { readonly code: string }).code
}

/** The environment without settings of the user who runs the benchmark. */
function environment({ folder, databaseUrl }: ServiceFiles): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^(OMEN_|DATABASE_URL$)/.test(name))
  return {
    ...Object.fromEntries(kept),
    OMEN_DATA_DIR: join(folder, 'data'),
    ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
  }
}
