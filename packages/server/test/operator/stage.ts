import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import { type AdminServer, openAdminSocket } from '../../src/operator/admin-socket/admin-server.js'
import type { Console } from '../../src/operator/console.js'
import type { AuditFilter, AuditRecord, CodeRecord, Operations, UserRecord } from '../../src/operator/operations.js'
import { type OperatorRequest, runCommand } from '../../src/operator/run-command.js'
import { Problem } from '../../src/problem.js'
import { loadSettings } from '../../src/settings/load-settings.js'
import { tableReleases } from './releases.js'

export const NOW = new Date('2026-03-01T12:00:00Z')

export const CODES: readonly CodeRecord[] = [
  {
    id: 'c1',
    org: 'Acme',
    expires: '2026-12-31',
    state: 'completed',
    issuedAt: '2026-02-01T10:00:00.000Z',
    domain: 'acme.com',
  },
  { id: 'c2', org: '株式会社\u001b[2J', expires: '2026-04-01', state: 'issued', issuedAt: '2026-02-02T10:00:00.000Z' },
]

export const RECORDS: readonly AuditRecord[] = [
  {
    id: '1',
    at: '2026-02-01T10:00:00.000Z',
    actor: 'operator',
    action: 'code.issued',
    org: 'Acme',
    detail: { code: 'c1' },
  },
  { id: '2', at: '2026-02-01T10:05:00.000Z', actor: 'operator', action: 'keys.rotated', detail: { reencrypted: 2 } },
]

export const USERS: readonly UserRecord[] = [
  {
    id: 'u1',
    email: 'alice@acme.com',
    name: 'Alice\u001b[2J',
    org: 'Acme',
    role: 'administrator',
    sessions: 2,
    createdAt: '2026-02-03T10:00:00.000Z',
    signedInAt: '2026-02-04T10:00:00.000Z',
  },
]

/** Operations with fixed results that record their calls. */
export function tableOperations(calls: unknown[] = [], records: readonly AuditRecord[] = RECORDS): Operations {
  const acme = { name: 'Acme', domains: ['acme.com'], connected: true, createdAt: '2026-02-01T10:00:00.000Z' }
  const remember = <T>(name: string, argument: unknown, result: T): Promise<T> => {
    calls.push([name, argument])
    return Promise.resolve(result)
  }
  return {
    issueCode: (request) => remember('issueCode', request, { id: 'c3', code: 'K7QF2M-9XTR4B', ...request }),
    listCodes: () => remember('listCodes', undefined, CODES),
    revokeCode: async (code) => {
      if (code !== 'c2') throw new Problem('invalid_code', 'There is no such code. See: omen-server code list')
      return remember('revokeCode', code, { ...CODES[1]!, state: 'revoked' as const })
    },
    listOrganizations: () => remember('listOrganizations', undefined, [acme]),
    showOrganization: (name) =>
      remember('showOrganization', name, {
        ...acme,
        issuer: 'https://acme.okta.com',
        clientId: 'abc',
        signInUri: 'https://omen.example.com/v1/auth/callback/u',
        connectedAt: '2026-02-03T10:00:00.000Z',
        codes: [CODES[0]!],
      }),
    removeOrganization: (name) => remember('removeOrganization', name, acme),
    listUsers: (filter) => remember('listUsers', filter, USERS),
    releaseUser: (email) => remember('releaseUser', email, USERS[0]!),
    setUserRole: (request) => remember('setUserRole', request, { ...USERS[0]!, administrated: true }),
    removeUser: (email) => remember('removeUser', email, USERS[0]!),
    audit: ({ after = '0', limit = 50, ...filter }: AuditFilter) => {
      calls.push(['audit', filter])
      return Promise.resolve(records.filter(({ id }) => Number(id) > Number(after)).slice(0, limit))
    },
    rotateKeys: () => remember('rotateKeys', undefined, { keyId: 'k2', reencrypted: 1 }),
    rotateSigningKey: (request) => remember('rotateSigningKey', request, { keyId: 's2', kept: 1, dropped: 0 }),
    ...tableReleases(remember),
  }
}

export interface RunOptions {
  readonly dataDir?: string
  /** The reply to a prompt; without it there is no terminal. */
  readonly typed?: string
  readonly open?: () => Promise<{ operations: Operations; close(): Promise<void> }>
  readonly pause?: () => Promise<void>
}

/** A data directory for each test, with an optional admin socket, and commands that run on it. */
export function useOperatorStage() {
  let folder = ''
  let admin: AdminServer | undefined
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'omen-operator-'))
  })
  const close = async () => {
    await admin?.close()
    admin = undefined
  }
  afterEach(async () => {
    await close()
    rmSync(folder, { recursive: true, force: true })
  })
  return {
    folder: () => folder,
    isServed: () => admin !== undefined,
    /** Opens the admin socket, as a server does. */
    async serve(operations: Operations, { dataDir = folder, onError = (_: unknown): void => undefined } = {}) {
      admin = await openAdminSocket({
        dataDir,
        operations,
        about: { onboardUrl: 'https://start.example.com' },
        onError,
      })
    },
    close,
    loaded: () => loadSettings({ flags: { dataDir: folder }, env: {}, folder }),
    /** Runs a command and returns its output. */
    run: (request: OperatorRequest, options: RunOptions = {}) => run(folder, request, options),
  }
}

async function run(folder: string, request: OperatorRequest, options: RunOptions) {
  const written = { out: '', error: '' }
  const console: Console = {
    out: (text) => {
      written.out += text
    },
    error: (text) => {
      written.error += text
    },
    canAsk: options.typed !== undefined,
    ask: async (question) => {
      written.error += question
      return options.typed ?? ''
    },
  }
  const nothing = () => Promise.reject(new Error('the database must not be opened'))
  await runCommand(request, {
    loaded: loadSettings({ flags: { dataDir: options.dataDir ?? folder }, env: {}, folder }),
    console,
    clock: () => NOW,
    open: options.open ?? nothing,
    pause: options.pause ?? (() => Promise.resolve()),
  })
  return written
}
