import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { inject } from 'vitest'

const PROGRAM = join(import.meta.dirname, '../../server/dist/omen-server.js')
declare module 'vitest' {
  interface ProvidedContext {
    /** The URL of what is prepared once for all tests; see `packages/server/test/prepared/setup.ts`. */
    readonly prepared: string
  }
}

const DAY_MS = 86_400_000

export interface RealService {
  /** Without a slash at the end. */
  readonly url: string
  issueCode(org: string): Promise<string>
  /** The log of the service so far. */
  log(): string
  close(): Promise<void>
}

/**
 * Starts the built service with the built pages and a new database.
 *
 * @example
 * const service = await startRealService()
 * const code = await service.issueCode('Acme')
 */
export async function startRealService(): Promise<RealService> {
  const folder = await mkdtemp(join(tmpdir(), 'omen-web-'))
  // A copy of an empty database: creating one takes seconds.
  const database = await fetch(`${inject('prepared')}/embedded`)
  await cp(await database.text(), join(folder, 'database'), { recursive: true })
  const args = ['--port', '0', '--data-dir', folder, '--allow-insecure-idp']
  const kept = Object.entries(process.env).filter(([name]) => !/^(OMEN_|DATABASE_URL$|NODE_OPTIONS$)/.test(name))
  const env = { ...Object.fromEntries(kept), TZ: 'UTC' }
  const child = spawn(process.execPath, [PROGRAM, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let log = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log += text
  })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const url = await urlOf(child, ended, () => log)
  return {
    url,
    issueCode: async (org) => {
      const expires = new Date(Date.now() + 30 * DAY_MS).toISOString().slice(0, 10)
      const argv = ['code', 'issue', '--data-dir', folder, '--org', org, '--expires', expires, '--json']
      const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, ...argv], { env })
      return (JSON.parse(stdout) as { readonly code: string }).code
    },
    log: () => log,
    close: async () => {
      child.kill('SIGTERM')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function urlOf(child: ChildProcess, ended: Promise<void>, log: () => string): Promise<string> {
  let written = ''
  return new Promise((resolve, reject) => {
    child.stdout!.setEncoding('utf8').on('data', (text: string) => {
      written += text
      // The public URL, not the one that the service listens on: cookies and redirects depend on it.
      const found = /^ {2}Onboarding +(http:\S+)\n/m.exec(written)
      if (found) resolve(found[1]!)
    })
    void ended.then(() => reject(new Error(`omen-server has ended:\n${log()}`)))
  })
}
