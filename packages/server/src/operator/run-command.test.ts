import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Failure } from '../failure.js'
import { Problem } from '../problem.js'
import { loadSettings } from '../settings/load-settings.js'
import { type AdminServer, openAdminSocket } from './admin-socket/admin-server.js'
import type { Console } from './console.js'
import type { AuditFilter, AuditRecord, CodeRecord, Operations } from './operations.js'
import { DatabaseInUse } from './reach.js'
import { type OperatorRequest, runCommand } from './run-command.js'

const NOW = new Date('2026-03-01T12:00:00Z')

const CODES: readonly CodeRecord[] = [
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

const RECORDS: readonly AuditRecord[] = [
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

/** Operations that answer from tables and remember what they were asked. */
function tableOperations(calls: unknown[] = [], records: readonly AuditRecord[] = RECORDS): Operations {
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
    audit: ({ after = '0', limit = 50, ...filter }: AuditFilter) => {
      calls.push(['audit', filter])
      return Promise.resolve(records.filter(({ id }) => Number(id) > Number(after)).slice(0, limit))
    },
    rotateKeys: () => remember('rotateKeys', undefined, { keyId: 'k2', reencrypted: 1 }),
  }
}

let folder = ''
let admin: AdminServer | undefined
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'omen-operator-'))
})
afterEach(async () => {
  await admin?.close()
  admin = undefined
  rmSync(folder, { recursive: true, force: true })
})

async function serveOperations(operations: Operations, dataDir = folder): Promise<void> {
  const about = { onboardUrl: 'https://start.example.com' }
  admin = await openAdminSocket({ dataDir, operations, about, onError: () => undefined })
}

interface RunOptions {
  readonly dataDir?: string
  /** What is typed when a question is asked; nobody is there without it. */
  readonly typed?: string
  readonly open?: () => Promise<{ operations: Operations; close(): Promise<void> }>
  readonly pause?: () => Promise<void>
}

/** Runs a command and gives what was written. */
async function run(request: OperatorRequest, options: RunOptions = {}): Promise<{ out: string; error: string }> {
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
  const loaded = loadSettings({ flags: { dataDir: options.dataDir ?? folder }, env: {}, folder })
  const nothing = () => Promise.reject(new Error('the database is not to be opened'))
  await runCommand(request, {
    loaded,
    console,
    clock: () => NOW,
    open: options.open ?? nothing,
    pause: options.pause ?? (() => Promise.resolve()),
  })
  return written
}

describe('code', () => {
  test('issue shows the code once, and where the server that runs lets it be used', async () => {
    await serveOperations(tableOperations())
    const { out } = await run({ verb: 'code issue', org: 'Acme', expires: '2026-12-31', json: false })
    expect(out).toBe(`\
Code     K7QF2M-9XTR4B
For      Acme
Domain   any
Expires  2026-12-31: it works until that day begins (UTC)

This is the only time that the code is shown. Give it to the administrator of Acme, who goes on at
  https://start.example.com/#code=K7QF2M-9XTR4B
or with
  curl 'https://start.example.com/v1/auth/validate?code=K7QF2M-9XTR4B'
`)
  })

  test('issue --json is for programs', async () => {
    const calls: unknown[] = []
    await serveOperations(tableOperations(calls))
    const request = { org: 'Acme', expires: '2026-12-31', domain: 'acme.com' }
    const { out, error } = await run({ verb: 'code issue', ...request, json: true })
    expect(JSON.parse(out)).toEqual({ id: 'c3', code: 'K7QF2M-9XTR4B', ...request })
    expect(error).toBe('')
    expect(calls).toEqual([['issueCode', request]])
  })

  test.each([
    ['2026-03-01', '--expires: 2026-03-01 does not lie after today, 2026-03-01 (UTC): no code was issued'],
    ['2025-12-31', '--expires: 2025-12-31 does not lie after today, 2026-03-01 (UTC): no code was issued'],
    ['2026-02-30', '--expires: there is no 2026-02-30: write it as YYYY-MM-DD, such as 2026-03-31'],
    ['31.12.2026', '--expires: "31.12.2026" is not a date: write it as YYYY-MM-DD, such as 2026-03-31'],
    ['', '--expires: "" is not a date: write it as YYYY-MM-DD, such as 2026-03-31'],
  ])('issue --expires %j issues nothing', async (expires, message) => {
    const calls: unknown[] = []
    await serveOperations(tableOperations(calls))
    const issuing = run({ verb: 'code issue', org: 'Acme', expires, json: false })
    await expect(issuing).rejects.toMatchObject({ kind: 'Usage', exitCode: 2, message })
    expect(calls).toEqual([])
  })

  test('list is a table that foreign text cannot break', async () => {
    await serveOperations(tableOperations())
    const { out } = await run({ verb: 'code list', json: false })
    expect(out).toBe(`\
ID  ORGANIZATION  DOMAIN    STATE      EXPIRES     ISSUED (UTC)
c1  Acme          acme.com  completed  2026-12-31  2026-02-01 10:00:00
c2  株式会社\ufffd[2J  any       issued     2026-04-01  2026-02-02 10:00:00
`)
    expect(JSON.parse((await run({ verb: 'code list', json: true })).out)).toEqual(CODES)
  })

  test('list without codes says how to issue one', async () => {
    await serveOperations({ ...tableOperations(), listCodes: async () => [] })
    expect((await run({ verb: 'code list', json: false })).out).toBe(
      'No codes yet. To issue one: omen-server code issue --org "Acme" --expires 2026-03-31\n',
    )
    expect((await run({ verb: 'code list', json: true })).out).toBe('[]\n')
  })

  test('revoke says what it ended; an unknown code is a problem', async () => {
    await serveOperations(tableOperations())
    const { out } = await run({ verb: 'code revoke', code: 'c2', json: false })
    expect(out).toBe('Revoked the code c2 of 株式会社\ufffd[2J. Its tokens no longer work either.\n')
    const revoking = run({ verb: 'code revoke', code: 'nope', json: false })
    await expect(revoking).rejects.toMatchObject({ name: 'Problem', code: 'invalid_code' })
  })
})

describe('org', () => {
  test('list and show', async () => {
    await serveOperations(tableOperations())
    expect((await run({ verb: 'org list', json: false })).out).toBe(`\
ORGANIZATION  DOMAINS   CONNECTED  CREATED (UTC)
Acme          acme.com  yes        2026-02-01 10:00:00
`)
    expect((await run({ verb: 'org show', name: 'Acme', json: false })).out).toBe(`\
Organization  Acme
Created       2026-02-01 10:00:00 UTC
Domains       acme.com
Connected     2026-02-03 10:00:00 UTC
Issuer        https://acme.okta.com
Client ID     abc
Sign-in URI   https://omen.example.com/v1/auth/callback/u

ID  ORGANIZATION  DOMAIN    STATE      EXPIRES     ISSUED (UTC)
c1  Acme          acme.com  completed  2026-12-31  2026-02-01 10:00:00
`)
  })

  test('remove asks for the name', async () => {
    const calls: unknown[] = []
    await serveOperations(tableOperations(calls))
    const refused = run({ verb: 'org remove', name: 'Acme', yes: false, json: false }, { typed: 'yes' })
    await expect(refused).rejects.toMatchObject({ exitCode: 1, message: 'that is not its name: nothing was removed' })
    expect(calls).toEqual([])
    const { out } = await run({ verb: 'org remove', name: 'Acme', yes: false, json: false }, { typed: 'Acme' })
    expect(out).toBe('Removed Acme. Its codes and tokens no longer work. acme.com can be connected again.\n')
    expect(calls).toEqual([['removeOrganization', 'Acme']])
  })

  test('remove without anybody to ask needs --yes', async () => {
    const calls: unknown[] = []
    await serveOperations(tableOperations(calls))
    const refused = run({ verb: 'org remove', name: 'Acme', yes: false, json: false })
    await expect(refused).rejects.toMatchObject({
      exitCode: 2,
      message: 'nobody is here to confirm the removal of "Acme": add --yes if it is meant',
    })
    await run({ verb: 'org remove', name: 'Acme', yes: true, json: true })
    expect(calls).toEqual([['removeOrganization', 'Acme']])
  })
})

describe('audit', () => {
  test('is a table, oldest first', async () => {
    await serveOperations(tableOperations())
    expect((await run({ verb: 'audit', lines: '50', json: false })).out).toBe(`\
AT (UTC)             ACTOR     ACTION        ORGANIZATION  DETAIL
2026-02-01 10:00:00  operator  code.issued   Acme          code=c1
2026-02-01 10:05:00  operator  keys.rotated  -             reencrypted=2
`)
  })

  test.each([
    ['2h', '2026-03-01T10:00:00.000Z'],
    ['7d', '2026-02-22T12:00:00.000Z'],
    ['2026-02-01', '2026-02-01T00:00:00.000Z'],
    ['2026-02-01T01:00:00+01:00', '2026-02-01T00:00:00.000Z'],
  ])('--since %s asks from %s on', async (since, expected) => {
    const calls: unknown[] = []
    await serveOperations(tableOperations(calls))
    await run({ verb: 'audit', lines: '5', since, org: 'Acme', action: 'code.issued', json: true })
    expect(calls).toEqual([['audit', { org: 'Acme', action: 'code.issued', since: expected }]])
  })

  test.each([
    [
      { since: 'yesterday' },
      '--since: "yesterday" is not a time: write 30m, 2h, 7d, 2026-03-01 or 2026-03-01T12:00:00Z',
    ],
    [
      { since: '2026-02-30' },
      '--since: "2026-02-30" is not a time: write 30m, 2h, 7d, 2026-03-01 or 2026-03-01T12:00:00Z',
    ],
    [{ lines: '0' }, '--lines: "0" is not a whole number from 1 to 10000'],
    [{ lines: 'all' }, '--lines: "all" is not a whole number from 1 to 10000'],
  ])('%j is refused', async (options, message) => {
    const asking = run({ verb: 'audit', lines: '50', json: false, ...options })
    await expect(asking).rejects.toMatchObject({ exitCode: 2, message })
  })

  test('--follow goes on with what happens, each record once, also while the server is away', async () => {
    const records = [...RECORDS]
    const written: string[] = []
    let rounds = 0
    const pause = async () => {
      rounds += 1
      if (rounds === 1) await admin!.close()
      if (rounds === 2) {
        records.push({ ...RECORDS[0]!, id: '3', action: 'code.revoked' })
        await serveOperations(tableOperations([], records))
      }
      if (rounds === 4) throw new Failure('Operator', 'interrupted')
    }
    await serveOperations(tableOperations([], records))
    const loaded = loadSettings({ flags: { dataDir: folder }, env: {}, folder })
    const console: Console = { out: (text) => written.push(text), error() {}, canAsk: false, ask: async () => '' }
    const request: OperatorRequest = { verb: 'audit', lines: '1', follow: true, json: true }
    const open = () => Promise.reject(new DatabaseInUse('not to be opened'))
    await expect(runCommand(request, { loaded, console, clock: () => NOW, open, pause })).rejects.toThrow('interrupted')
    // The table has no latest records, only first ones: -n 1 shows the first, then the rest follows.
    expect(written.map((line) => JSON.parse(line).id)).toEqual(['1', '2', '3'])
  })
})

test('keys rotate says which key and how many secrets', async () => {
  await serveOperations(tableOperations())
  expect((await run({ verb: 'keys rotate', json: false })).out).toBe(
    'The encryption key is now k2. 1 secret was encrypted with it.\n',
  )
  expect(JSON.parse((await run({ verb: 'keys rotate', json: true })).out)).toEqual({ keyId: 'k2', reencrypted: 1 })
})

test('config shows the settings without opening anything', async () => {
  const { out } = await run({ verb: 'config', json: false })
  expect(out).toMatch(/^SETTING +VALUE +FROM\n/)
  expect(out).toMatch(/^databaseUrl +the embedded database +default$/m)
  expect(out).toContain(`${folder}  --data-dir\n`)
  const { file, settings } = JSON.parse((await run({ verb: 'config', json: true })).out)
  expect(file).toBeNull()
  expect(settings.port).toEqual({ value: 8080, from: 'default' })
})

describe('the way to the operations', () => {
  test('without a server the database is opened, and closed again', async () => {
    const steps: string[] = []
    const open = async () => {
      steps.push('open')
      return { operations: tableOperations(), close: async () => void steps.push('close') }
    }
    const { out } = await run({ verb: 'code issue', org: 'Acme', expires: '2026-12-31', json: false }, { open })
    expect(steps).toEqual(['open', 'close'])
    expect(out).toContain("curl 'http://localhost:8080/v1/auth/validate?code=K7QF2M-9XTR4B'")
  })

  test('a server that is just starting is waited for', async () => {
    const open = () => Promise.reject(new DatabaseInUse('in use'))
    const pause = async () => {
      if (admin === undefined) await serveOperations(tableOperations())
    }
    expect(JSON.parse((await run({ verb: 'code list', json: true }, { open, pause })).out)).toEqual(CODES)
  })

  test('a process that never answers is named', async () => {
    const open = () => Promise.reject(new DatabaseInUse('in use'))
    await expect(run({ verb: 'code list', json: true }, { open })).rejects.toMatchObject({
      exitCode: 1,
      message: `${folder}: the database is open in another process that does not answer at ${folder}/admin.sock: wait until it has started, or end it`,
    })
  })

  test('a server that ends in the middle: what reads is asked elsewhere, what changes is not done twice', async () => {
    const path = join(folder, 'admin.sock')
    const broken = createServer((socket) => {
      socket.once('data', (data) => {
        // It still says who it is, and dies in the middle of the call itself.
        const isAbout = data.toString().startsWith('POST /about')
        if (isAbout)
          socket.end('HTTP/1.1 200 OK\r\ncontent-length: 25\r\nconnection: close\r\n\r\n{"onboardUrl":"http://x"}')
        else socket.destroy()
      })
    })
    await new Promise<void>((resolve) => broken.listen(path, resolve))
    try {
      const open = async () => ({ operations: tableOperations(), close: async () => undefined })
      expect(JSON.parse((await run({ verb: 'code list', json: true }, { open })).out)).toEqual(CODES)
      const issuing = run({ verb: 'code issue', org: 'Acme', expires: '2026-12-31', json: true }, { open })
      await expect(issuing).rejects.toMatchObject({
        exitCode: 1,
        message:
          'the server ended in the middle of this: look with "omen-server audit" whether it happened, then try again',
      })
    } finally {
      await new Promise((resolve) => broken.close(resolve))
    }
  })
})

describe('the admin socket', () => {
  test('is open to its owner alone, and gone with the server', async () => {
    await serveOperations(tableOperations())
    const { mode } = statSync(join(folder, 'admin.sock'))
    expect((mode & 0o777).toString(8)).toBe('600')
    await admin!.close()
    expect(() => statSync(join(folder, 'admin.sock'))).toThrow('ENOENT')
  })

  test('replaces what an earlier server left behind', async () => {
    writeFileSync(join(folder, 'admin.sock'), '')
    await serveOperations(tableOperations())
    expect(JSON.parse((await run({ verb: 'code list', json: true })).out)).toEqual(CODES)
  })

  test('works where the path is longer than that of a socket may be', async () => {
    const dataDir = join(folder, 'long'.repeat(50))
    mkdirSync(dataDir)
    await serveOperations(tableOperations(), dataDir)
    expect(JSON.parse((await run({ verb: 'code list', json: true }, { dataDir })).out)).toEqual(CODES)
    expect((statSync(join(dataDir, 'admin.sock')).mode & 0o777).toString(8)).toBe('600')
  })

  test('twenty commands at once each get their answer', async () => {
    await serveOperations(tableOperations())
    const all = await Promise.all(Array.from({ length: 20 }, () => run({ verb: 'code list', json: true })))
    for (const { out } of all) expect(JSON.parse(out)).toEqual(CODES)
  })

  test('an error that nobody foresaw is told to the log, and not to the command', async () => {
    const told: unknown[] = []
    const operations = { ...tableOperations(), rotateKeys: () => Promise.reject(new Error('SECRET')) }
    const about = { onboardUrl: 'http://x' }
    admin = await openAdminSocket({ dataDir: folder, operations, about, onError: (error) => told.push(error) })
    const rotating = run({ verb: 'keys rotate', json: false })
    await expect(rotating).rejects.toMatchObject({
      code: 'internal',
      message: 'The server failed at this. Its log says more.',
    })
    expect(told).toEqual([new Error('SECRET')])
  })
})
