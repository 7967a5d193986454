import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  type KeyPair,
  makeKeys,
  makePackage,
  type ReleaseService,
  startService,
  trusting,
} from '../../test/release-service.js'
import { openTestSession } from '../../test/updates-session.js'
import type { TokenSource } from '../account/token-source.js'
import { bundledVersion } from '../rules/loading/community-rules.js'
import { beginUpdates } from './begin-updates.js'
import { type ScanRequest, startScanUpdates } from './scan-updates.js'
import { LIMITS, type Limits } from './service.js'
import { readUpdateState } from './update-state.js'

const LONG_LIMITS: Limits = { ...LIMITS, wait: 600_000, waitWithoutRules: 600_000, response: 600_000 }
const OPTIONS = { quiet: false, level: undefined, disabled: false, rules: [], output: undefined, acceptUpdates: false }

/** The version of the rules that come with the tool. */
const BUNDLED = bundledVersion()!

let folder = ''
let keys: KeyPair
let service: ReleaseService
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'omen-updates-'))
  keys = makeKeys()
  service = await startService(keys)
  service.rules = await makePackage('91.4.0')
  writeFileSync(join(folder, 'config.yaml'), trusting(service.url, [keys]))
})
afterEach(async () => {
  await service.close()
  rmSync(folder, { recursive: true, force: true })
})

interface StartOptions extends Partial<ScanRequest> {
  readonly isTerminal?: boolean
  readonly answer?: boolean
  readonly tokens?: TokenSource
}

async function start(limits: Limits, { isTerminal = false, answer, tokens, ...change }: StartOptions = {}) {
  const { session, written } = await openTestSession(folder, { isTerminal })
  const state = readUpdateState(folder, service.url)
  const request: ScanRequest = {
    service: service.url,
    state,
    isDue: true,
    accepts: false,
    options: OPTIONS,
    session,
    ...change,
  }
  const questions: string[] = []
  const ask = (question: string) => {
    questions.push(question)
    return answer
  }
  return { updates: startScanUpdates(request, { limits, ask, tokens }), written, questions }
}

const state = () => JSON.parse(readFileSync(join(folder, 'updates.json'), 'utf8'))

describe('a check that is due', () => {
  it('reports updates at once if the response comes in time', async () => {
    const { updates, written } = await start(LONG_LIMITS)
    await updates.decide()
    await updates.end()
    expect(written).toEqual({
      out: `Rules 91.4.0 are available (${BUNDLED} is installed): omen updates install\n`,
      err: '',
    })
    expect(state()).toMatchObject({ service: service.url, news: 'some', checked: Date.parse('2026-03-01T12:00:00Z') })
  })

  it('does not wait longer than its limit', async () => {
    service.handle = () => true
    const { updates, written } = await start({ ...LONG_LIMITS, wait: 1 })
    await updates.decide()
    expect(written).toEqual({ out: '', err: '' })
    await updates.end()
    expect(written.err).toBe(`Warning: updates: 127.0.0.1:${service.port}: it did not respond in time\n`)
    expect(state().retryAt).toBe(Date.parse('2026-03-01T12:10:00Z'))
  })

  it('does not warn about a running renewal of the sign-in, unless the previous one failed', async () => {
    const never = new Promise<never>(() => {})
    const tokens: TokenSource = { current: () => never, renewed: () => never, isRenewing: true }
    const first = await start({ ...LONG_LIMITS, wait: 1 }, { tokens })
    await first.updates.decide()
    await first.updates.end()
    expect(first.written).toEqual({ out: '', err: '' })
    expect(state().retryAt).toBe(Date.parse('2026-03-01T12:10:00Z'))
    const second = await start({ ...LONG_LIMITS, wait: 1 }, { tokens })
    await second.updates.decide()
    await second.updates.end()
    expect(second.written.err).toMatch(
      /^Warning: updates: \S+: the sign-in could not be renewed: run omen whoami to see why\n$/,
    )
    expect(service.requests).toEqual([])
  })

  it('uses the last response while the service does not respond', async () => {
    const first = await start(LONG_LIMITS)
    await first.updates.decide()
    await first.updates.end()
    service.handle = () => true
    const { updates, written } = await start({ ...LONG_LIMITS, wait: 1 })
    await updates.decide()
    expect(written.out).toMatch(/^Rules 91\.4\.0 are available/)
    await updates.end()
  })

  it('prints a warning if it fails, and is repeated after a pause', async () => {
    service.handle = (_, response) => Boolean(response.writeHead(500).end())
    const { updates, written } = await start(LONG_LIMITS)
    await updates.decide()
    await updates.end()
    expect(written.err).toBe(
      `Warning: updates: 127.0.0.1:${service.port}: HTTP 500: the service failed: try again later\n`,
    )
    const later = async (time: string) => {
      const { session } = await openTestSession(folder, { now: new Date(time) })
      const updates = beginUpdates(OPTIONS, session)
      // Ended, so that nothing is written after the folder is removed.
      await updates?.decide()
      await updates?.end()
      return updates !== undefined
    }
    expect(await later('2026-03-01T12:09:59Z')).toBe(false)
    expect(await later('2026-03-01T12:10:00Z')).toBe(true)
  })

  it('prints the command to run once, and again after the next check', async () => {
    service.rules = undefined
    service.tool = { version: '99.0.0', bytes: Buffer.from('x'), platform: 'linux-x64' }
    const printed = async (isDue: boolean) => {
      const { updates, written } = await start(LONG_LIMITS, { isDue, accepts: true })
      await updates.decide()
      await updates.end()
      return written.out
    }
    const line = expect.stringMatching(
      /^omen 99\.0\.0 is available \(\S+ is installed\): git pull && npm ci && npm run build\n$/,
    )
    expect([await printed(true), await printed(false), await printed(true)]).toEqual([line, '', line])
  })

  it('stores no password', async () => {
    const url = service.url.replace('http://', 'http://me:opensesame@')
    writeFileSync(join(folder, 'config.yaml'), trusting(url, [keys]))
    const { session } = await openTestSession(folder)
    const updates = beginUpdates(OPTIONS, session)!
    await updates.decide()
    await updates.end()
    expect(readFileSync(join(folder, 'updates.json'), 'utf8')).not.toContain('opensesame')
  })

  it('does not offer rules that are disabled', async () => {
    const { updates, written } = await start(LONG_LIMITS, { options: { ...OPTIONS, disabled: true } })
    await updates.decide()
    await updates.end()
    expect(written.out).toBe('')
  })
})

describe('the user', () => {
  it('is asked in one line with the notes', async () => {
    service.rules = await makePackage('91.4.0', { notes: 'Kafka and etcd' })
    const { updates, questions } = await start(LONG_LIMITS, { isTerminal: true, answer: false })
    await updates.decide()
    await updates.end()
    expect(questions).toEqual([`Update rules ${BUNDLED} → 91.4.0 (${service.rules.bytes.length} B): Kafka and etcd`])
    expect(state().declined).toEqual({ rules: '91.4.0' })
  })

  it('is not asked with -y: the update is installed', async () => {
    const { updates, questions, written } = await start(LONG_LIMITS, { isTerminal: false, accepts: true })
    await updates.decide()
    await updates.install(new AbortController().signal)
    await updates.end()
    expect(questions).toEqual([])
    expect(written.out).toMatch(/\nInstalled rules 91\.4\.0\n$/)
    expect(state().news).toBe('none')
  })
})

describe('the start of a scan', () => {
  it('does nothing if the last check is recent and offered no update, even with -y', async () => {
    service.rules = await makePackage(BUNDLED)
    const { updates } = await start(LONG_LIMITS)
    await updates.decide()
    await updates.end()
    const { session } = await openTestSession(folder)
    expect(beginUpdates({ ...OPTIONS, acceptUpdates: true }, session)).toBeUndefined()
  })

  it('does not use the state of another service', async () => {
    const { updates } = await start(LONG_LIMITS)
    await updates.decide()
    await updates.end()
    writeFileSync(join(folder, 'config.yaml'), 'skip: 10\n')
    const { session } = await openTestSession(folder)
    expect(beginUpdates(OPTIONS, session)).toBeUndefined()
    expect(readUpdateState(folder, 'https://other.example.com')).toEqual({ service: 'https://other.example.com' })
  })
})
