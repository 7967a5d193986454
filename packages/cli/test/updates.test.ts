import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { bundledVersion } from '../src/rules/loading/community-rules.js'
import { VERSION } from '../src/version.js'
import { useFolder } from './omen.js'
import {
  clearConfiguration,
  type KeyPair,
  makeKeys,
  makePackage,
  putInPlace,
  type ReleaseService,
  ruleFor,
  sha256,
  startService,
  trusting,
} from './release-service.js'
import { useProcesses } from './running.js'

const folder = useFolder()
const processes = useProcesses()

const LOG = '2026-03-01T12:00:01Z disk full\n2026-03-01T12:00:02Z gremlins\n'

/** The version of the rules that come with the tool. */
const BUNDLED = bundledVersion()!

let keys: KeyPair
let service: ReleaseService
beforeEach(async () => {
  keys = makeKeys()
  service = await startService(keys)
  clearConfiguration(folder.path('config'))
  folder.remove('work')
  folder.write('work/app.log', LOG)
  configure()
})
afterEach(() => service.close())

/** Trusts the service. `more` are further lines. */
function configure(more = '', trusted: readonly KeyPair[] = [keys]): void {
  folder.write('config/config.yaml', `${trusting(service.url, trusted)}${more}`)
}

/** Runs the tool asynchronously, because the service in this process must respond. */
async function omen(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const run = processes.omen(args, { cwd: folder.path('work'), env: folder.environment(env) })
  run.endInput()
  return run.ended
}

/** The IDs of the problems that a scan finds. */
async function scan(...args: string[]) {
  const { status, out, err } = await omen(['-q', '-o', '-', ...args, 'app.log'])
  return { status, found: JSON.parse(out).map(({ id }: { id: string }) => id), err }
}

const installed = (name = '') =>
  readdirSync(folder.path('config'))
    .filter((file) => file.includes(`cre-rules.${name}`))
    .sort()
const requested = (end: string) => service.requests.filter(({ path }) => path.endsWith(end))

describe('omen updates install', () => {
  it('installs the package with its hash and signature, which sha256sum and openssl accept', async () => {
    service.rules = await makePackage('91.4.0')
    const { status, out, err } = await omen(['updates', 'install'])
    expect({ status, err }).toEqual({ status: 0, err: '' })
    expect(out).toMatch(/^Downloading rules 91\.4\.0 done! \[\d+ B in .*\]\nInstalled rules 91\.4\.0\n$/)
    const { file } = service.rules
    expect(installed()).toEqual([file, `${file}.sha256`, `${file}.sig`])
    const cwd = folder.path('config')
    execFileSync('sha256sum', ['-c', `${file}.sha256`], { cwd })
    folder.write('config/key.pem', keys.pem)
    execFileSync('openssl', ['dgst', '-sha256', '-verify', 'key.pem', '-signature', `${file}.sig`, file], { cwd })
    expect(await scan()).toEqual({ status: 0, found: ['CRE-2026-90001'], err: '' })
  })

  it('says when the rules are up to date', async () => {
    service.rules = await makePackage('91.4.0')
    await omen(['updates', 'install'])
    expect(await omen(['updates', 'install'])).toEqual({ status: 0, out: 'Up to date: rules 91.4.0\n', err: '' })
    expect(requested('.yaml.gz')).toHaveLength(1)
  })

  it('keeps the previous package, and removes older ones', async () => {
    for (const version of ['91.4.0', '91.5.0', '91.6.0']) {
      service.rules = await makePackage(version, { word: `word ${version}` })
      expect((await omen(['updates', 'install', '-q'])).status).toBe(0)
    }
    expect(installed().map((name) => name.split('.').slice(1, 4).join('.'))).toEqual([
      ...Array(3).fill('91.5.0'),
      ...Array(3).fill('91.6.0'),
    ])
  })

  it('refuses a package that is older than the installed or the bundled one', async () => {
    service.rules = await makePackage('91.4.0')
    await omen(['updates', 'install'])
    service.rules = await makePackage('91.3.0', { word: 'old' })
    const { status, out } = await omen(['updates', 'install'])
    expect({ status, out }).toEqual({ status: 0, out: 'Refused rules 91.3.0: the installed version 91.4.0 is newer\n' })
    folder.remove('config')
    configure()
    service.rules = await makePackage('0.9.0', { word: 'very old' })
    expect((await omen(['updates', 'install'])).out).toBe(
      `Refused rules 0.9.0: the installed version ${BUNDLED} is newer\n`,
    )
    expect(installed()).toEqual([])
  })

  it('installs no other version than rulesVersion', async () => {
    configure('rulesVersion: 91.4.0\n')
    service.rules = await makePackage('91.5.0')
    expect((await omen(['updates', 'install'])).out).toBe(
      'Skipped rules 91.5.0: rulesVersion selects another version\n',
    )
    service.rules = await makePackage('91.4.0')
    expect((await omen(['updates', 'install'])).out).toMatch(/Installed rules 91\.4\.0\n$/)
    expect(await scan()).toMatchObject({ found: ['CRE-2026-90001'], err: '' })
  })

  it('installs the rules of an organization beside the community rules', async () => {
    folder.write('config/.ruletoken', 'omen_secretToken1\n')
    service.rules = await makePackage('91.4.0')
    service.private = await makePackage('3.0.0', { kind: 'private', id: 'ACME-0001', word: 'gremlins' })
    expect((await omen(['updates', 'install'])).out).toMatch(
      /\nInstalled rules 91\.4\.0\nInstalled private rules 3\.0\.0\n$/,
    )
    expect(requested('latest')[0]?.headers.authorization).toBe('Bearer omen_secretToken1')
    expect((await scan()).found).toEqual(expect.arrayContaining(['ACME-0001', 'CRE-2026-90001']))
    expect((await scan('-d')).found).toEqual(['ACME-0001'])
    expect(statSync(folder.path(`config/${service.private.file}`)).mode & 0o777).toBe(0o600)
    const { out } = await omen(['config'])
    expect(out).toMatch(/^Community rules +91\.4\.0 +\S+\/config\/omen-public-cre-rules\.91\.4\.0\.\w+\.yaml\.gz$/m)
    expect(out).toMatch(/^Private rules +3\.0\.0 +\S+\/config\/omen-private-cre-rules\.3\.0\.0\.\w+\.yaml\.gz$/m)
  })

  it('accepts the signature of any of several keys', async () => {
    configure('', [makeKeys(), keys])
    service.rules = await makePackage('91.4.0')
    expect((await omen(['updates', 'install'])).status).toBe(0)
  })

  it('needs a service', async () => {
    folder.write('config/config.yaml', 'skip: 10\n')
    expect(await omen(['updates', 'install'])).toEqual({
      status: 1,
      out: '',
      err: 'Config error: no service is configured: run omen updates trust <service url>\n',
    })
  })
})

describe('the token', () => {
  it('of an anonymous installation is never sent', async () => {
    folder.write('config/.ruletoken', 'anonymousAnonymousAnonymous\n')
    service.rules = await makePackage('91.4.0')
    await omen(['updates', 'install'])
    expect(service.requests.map(({ headers }) => headers.authorization)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ])
  })

  it('is in no message and no log', async () => {
    folder.write('config/.ruletoken', 'omen_secretToken1\n')
    service.handle = (_, response) => Boolean(response.writeHead(401).end())
    const { status, out, err } = await omen(['updates', 'install', '-l', 'trace'])
    expect(status).toBe(1)
    expect(err).toContain('HTTP 401: the token in .ruletoken is not accepted')
    expect(out + err).not.toContain('secretToken')
  })
})

describe('omen updates check', () => {
  it('shows what is installed and what is offered, and installs nothing', async () => {
    service.rules = await makePackage('91.4.0', { notes: 'Kafka, etcd' })
    service.tool = {
      version: '99.0.0',
      bytes: Buffer.from('#!/bin/sh\n'),
      platform: `${process.platform}-${process.arch}`,
    }
    const { status, out, err } = await omen(['updates', 'check'])
    expect({ status, err }).toEqual({ status: 0, err: '' })
    const [head, , ...rows] = out.split('\n')
    expect(head).toMatch(new RegExp(`^${service.url}: last response 20\\d\\d-.*Z$`))
    expect(rows.slice(0, 3).map((row) => row.trim().split(/ {2,}/))).toEqual([
      ['INSTALLED', 'OFFERED', 'SIZE', 'STATUS'],
      ['rules', BUNDLED, '91.4.0', `${service.rules.bytes.length} B`, 'new: Kafka, etcd'],
      ['omen', VERSION, '99.0.0', 'new'],
    ])
    expect(out).toMatch(/\n\nRules: omen updates install\nomen: {2}git pull && npm ci && npm run build\n$/)
    expect(installed()).toEqual([])
  })

  it('prints JSON with --json', async () => {
    service.rules = await makePackage('91.4.0', { notes: 'Kafka, etcd' })
    expect(JSON.parse((await omen(['updates', 'check', '--json'])).out)).toEqual({
      service: service.url,
      checked: expect.stringMatching(/Z$/),
      rules: {
        installed: BUNDLED,
        offered: {
          version: '91.4.0',
          size: service.rules.bytes.length,
          notes: 'Kafka, etcd',
          verdict: 'new',
          declined: false,
        },
      },
      private: { installed: null, offered: null },
      tool: { installed: VERSION, offered: null },
    })
  })

  it('sends the ETag, and shows the last response if nothing has changed', async () => {
    service.rules = await makePackage('91.4.0')
    await omen(['updates', 'check'])
    expect((await omen(['updates', 'check'])).out).toContain('91.4.0')
    expect(requested('latest')[1]?.headers['if-none-match']).toMatch(/^"\w{16}"$/)
  })

  it('shows the last response if the service is down', async () => {
    service.rules = await makePackage('91.4.0')
    await omen(['updates', 'check'])
    await service.close()
    const { status, out, err } = await omen(['updates', 'check'])
    expect({ status, err }).toEqual({
      status: 1,
      err: `Network error: 127.0.0.1:${service.port}: the connection was refused\n`,
    })
    expect(out).toContain('91.4.0')
  })

  it('says without a service how to configure one, and sends no request', async () => {
    folder.write('config/config.yaml', '')
    const { status, out, err } = await omen(['updates', 'check'])
    expect({ status, err }).toEqual({ status: 0, err: '' })
    expect(out).toContain('omen updates trust <service url>')
    expect(service.requests).toEqual([])
  })
})

describe('a scan', () => {
  /** Makes a check, so that the rest of the test does not depend on the speed of the service. */
  async function checked(): Promise<void> {
    expect((await omen(['updates', 'check'])).status).toBe(0)
  }

  it('sends no request without a service', async () => {
    folder.write('config/config.yaml', 'acceptUpdates: true\n')
    expect(await scan('-y')).toMatchObject({ status: 0, err: '' })
    expect(service.requests).toEqual([])
    expect(existsSync(folder.path('config/updates.json'))).toBe(false)
  })

  it('prints one line about newer rules, and nothing with -q', async () => {
    service.rules = await makePackage('91.4.0')
    await checked()
    const { status, out, err } = await omen(['-o', '', 'app.log'])
    expect({ status, err }).toEqual({ status: 0, err: '' })
    expect(out.split('\n')[0]).toBe(`Rules 91.4.0 are available (${BUNDLED} is installed): omen updates install`)
    expect(await omen(['-q', '-o', '', 'app.log'])).toEqual({ status: 0, out: '', err: '' })
    expect(requested('latest')).toHaveLength(1)
  })

  it.each([
    ['-y', '', ['-y']],
    ['acceptUpdates', 'acceptUpdates: true\n', []],
  ])('installs them with %s and uses them at once', async (_, config, args) => {
    configure(config)
    service.rules = await makePackage('91.4.0')
    await checked()
    const { status, out, err } = await omen([...args, '-o', '', 'app.log'])
    expect({ status, err }).toEqual({ status: 0, err: '' })
    expect(out).toMatch(/^Downloading rules 91\.4\.0 done! .*\nInstalled rules 91\.4\.0\nParsing rules done! \[1 rule /)
    expect(out).toContain('CRE-2026-90001 high [1 hits')
    expect((await omen(['-o', '', 'app.log'])).out).toMatch(/^Parsing rules done/)
  })

  it('checks again after updateFrequency, and not before', async () => {
    service.rules = await makePackage('91.4.0')
    await checked()
    await scan()
    expect(requested('latest')).toHaveLength(1)
    configure('updateFrequency: 1ns\n')
    // The scan waits for standard input, so the service has enough time.
    const run = processes.omen(['-l', 'debug', '-q', '-o', ''], { cwd: folder.path('work'), env: folder.environment() })
    await run.printed('update check finished')
    run.endInput()
    expect((await run.ended).status).toBe(0)
    expect(requested('latest')).toHaveLength(2)
  })

  it('stores a late response for the next run', async () => {
    service.rules = await makePackage('91.4.0')
    const arrival = new Promise<ServerResponse>((resolve) => {
      service.handle = (_, response) => {
        resolve(response)
        return true
      }
    })
    const run = processes.omen(['-l', 'debug', '-o', ''], { cwd: folder.path('work'), env: folder.environment() })
    // The rules are loaded, so the scan no longer waits for the response.
    await run.printed('rules loaded')
    const response = await arrival
    response.end(service.latest())
    await run.printed('update check finished')
    run.endInput()
    expect((await run.ended).out).not.toContain('available')
    service.handle = undefined
    expect((await omen(['-o', '', 'app.log'])).out).toMatch(/^Rules 91\.4\.0 are available/)
    expect(requested('latest')).toHaveLength(1)
  })

  it('continues with a read-only configuration directory, and says so', async () => {
    configure('acceptUpdates: true\nupdateFrequency: off\n')
    service.rules = await makePackage('91.4.0')
    await checked()
    const script =
      'mount --bind "$OMEN_CONFIG_DIR" "$OMEN_CONFIG_DIR" && mount -o remount,bind,ro "$OMEN_CONFIG_DIR" && exec "$0" "$@"'
    const program = [process.execPath, `${import.meta.dirname}/../dist/omen.js`, '-o', '', 'app.log']
    const flags = process.getuid?.() === 0 ? '-m' : '-rm'
    const run = processes.start('unshare', [flags, 'sh', '-c', script, ...program], {
      cwd: folder.path('work'),
      env: folder.environment(),
    })
    const { status, out, err } = await run.ended
    expect({ status, err }).toEqual({ status: 0, err: '' })
    expect(out.split('\n')[0]).toBe(
      `Rules 91.4.0 are available (${BUNDLED} is installed): ${folder.path('config')} is not writable`,
    )
  })

  it('does not install a package that repeats a rule of rules.paths', async () => {
    folder.write('config/own.yaml', ruleFor('CRE-2026-90001', 'my own'))
    configure('rules: {paths: [own.yaml]}\n')
    service.rules = await makePackage('91.4.0')
    await checked()
    const { status, out, err } = await omen(['-y', '-o', '', 'app.log'])
    expect(status).toBe(0)
    expect(err).toMatch(
      /^Warning: omen-public-cre-rules\.91\.4\.0\.\w+\.yaml\.gz: it contains a rule that you already have: duplicate .*cre=CRE-2026-90001: not installed\n$/,
    )
    expect(out).not.toContain('Installed')
    expect(installed()).toEqual([])
  })
})

describe('a package that is not valid is refused, and the old one stays', () => {
  /** An old package is installed; the new one, 91.5.0, must fail. */
  beforeEach(async () => {
    putInPlace(folder.path('config'), await makePackage('91.4.0'), keys)
    service.rules = await makePackage('91.5.0', { word: 'gremlins', random: 20_000 })
  })

  /** The command fails; a scan prints a warning and keeps its exit code. */
  async function expectRejected(reason: string | RegExp): Promise<void> {
    const name = service.rules!.file
    const before = installed()
    const byCommand = await omen(['updates', 'install', '-q'])
    expect(byCommand.status).toBe(1)
    expect(byCommand.err).toMatch(/^\w+ error: [^\n]+\n$/)
    expect(byCommand.err).toMatch(reason)
    expect(byCommand.err).toContain(name)
    const { status, out, err } = await omen(['-y', '-o', '', 'app.log'])
    expect(status).toBe(0)
    expect(err).toMatch(/^Warning: [^\n]+\n$/)
    expect(err).toMatch(reason)
    expect(err).toContain(name)
    expect(out).toContain('CRE-2026-90001 high [1 hits @ 2026-03-01T12:00:01Z]')
    expect(installed('91.4.0')).toHaveLength(3)
    expect(installed()).toEqual(before)
    expect(readdirSync(folder.path('config')).filter((file) => /\.(lock|tmp)$/.test(file))).toEqual([])
  }

  const replaceFile = (end: string, content: (name: string) => Buffer | string | undefined) => {
    service.handle = (request, response) => {
      if (!request.url?.endsWith(end)) return false
      const body = content(service.rules!.file)
      if (body === undefined) return false
      response.end(body)
      return true
    }
  }

  it('wrong bytes of the right size', async () => {
    replaceFile('.yaml.gz', () => Buffer.alloc(service.rules!.bytes.length, 'x'))
    await expectRejected(/: its SHA-256 is \w{64}, but \w{64} was announced: not installed/)
  })

  it('another .sha256', async () => {
    replaceFile('.sha256', (name) => `${sha256(Buffer.from('other'))}  ${name}\n`)
    await expectRejected(/\.sha256: it contains \w{64}, but \w{64} was announced/)
  })

  it('a wrong signature', async () => {
    replaceFile('.sig', () => Buffer.from('3006020101020101', 'hex'))
    await expectRejected(/: it is not signed with a trusted key \(SHA256:[\w+/]{43}\): not installed/)
  })

  it('a signature that is not DER', async () => {
    replaceFile('.sig', () => 'nonsense')
    await expectRejected(/: it is not signed with a trusted key/)
  })

  it('the signature of another key', async () => {
    service.signer = makeKeys()
    await expectRejected(/: it is not signed with a trusted key/)
  })

  it('fewer bytes than were announced', async () => {
    replaceFile('.yaml.gz', () => service.rules!.bytes.subarray(0, -1))
    await expectRejected(/: it has \d+ bytes, but \d+ were announced/)
  })

  it('more bytes than were announced, without a content-length', async () => {
    service.handle = (request, response) => {
      if (!request.url?.endsWith('.yaml.gz')) return false
      response.write(service.rules!.bytes)
      response.end('more')
      return true
    }
    await expectRejected(/: it is longer than the announced \d+ bytes/)
  })

  it('a connection that always breaks', async () => {
    const { length } = service.rules!.bytes
    service.handle = (request, response) => {
      if (!request.url?.endsWith('.yaml.gz')) return false
      response.writeHead(200, { 'content-length': length })
      response.write(service.rules!.bytes.subarray(0, 1000), () => response.destroy())
      return true
    }
    await expectRejected(/: the connection was closed/)
  })

  it.each([500, 503, 404, 403])('HTTP %i', async (status) => {
    service.handle = (request, response) =>
      request.url?.endsWith('.yaml.gz') ? Boolean(response.writeHead(status).end()) : false
    await expectRejected(`HTTP ${status}: `)
  })

  it('a redirect to another host', async () => {
    service.handle = (request, response) =>
      request.url?.endsWith('.yaml.gz')
        ? Boolean(response.writeHead(302, { location: 'https://mirror.example.org/x.gz' }).end())
        : false
    await expectRejected(`: refused, because it redirects to https://mirror.example.org, not to ${service.url}`)
  })

  it('another version than the announced one', async () => {
    service.rules = await makePackage('91.5.0', { inside: '91.2.0' })
    await expectRejected(/: it contains version 91\.2\.0, but 91\.5\.0 was announced: not installed/)
  })

  it('a signed file that is not a package of rules', async () => {
    const bytes = Buffer.from('rules: [{cre: {id: 7}}]\n')
    const file = `omen-public-cre-rules.91.5.0.${sha256(bytes).slice(0, 12)}.yaml.gz`
    service.rules = { version: '91.5.0', file, bytes }
    await expectRejected(/: not installed/)
  })

  it('a key that is no longer trusted', async () => {
    configure('', [makeKeys()])
    await expectRejected(/: it is not signed with a trusted key/)
  })
})

describe('a check that fails', () => {
  const failures: readonly (readonly [string, RegExp, (service: ReleaseService) => void])[] = [
    [
      'HTTP 500',
      /HTTP 500: the service failed: try again later/,
      (s) => (s.handle = (_, r) => Boolean(r.writeHead(500).end())),
    ],
    ['HTTP 404', /HTTP 404/, (s) => (s.handle = (_, r) => Boolean(r.writeHead(404).end()))],
    ['a page of HTML', /invalid announcement: it is not JSON/, (s) => (s.handle = (_, r) => Boolean(r.end('<html>')))],
    ['a list', /invalid announcement: the response is not an object/, (s) => (s.announce = () => [])],
    ['an endless response', /the response is longer than \d+ bytes/, (s) => (s.announce = () => 'x'.repeat(300_000))],
    [
      'files on another host',
      /invalid announcement: rules\.url points to https:\/\/evil\.example\.org/,
      (s) => (s.announce = ({ rules }) => ({ rules: { ...(rules as object), url: 'https://evil.example.org/x' } })),
    ],
    [
      'a redirect to another host',
      /redirects to https:\/\/evil\.example\.org, not to/,
      (s) => (s.handle = (_, r) => Boolean(r.writeHead(307, { location: 'https://evil.example.org/' }).end())),
    ],
    [
      'endless redirects',
      /too many redirects/,
      (s) => (s.handle = ({ url }, r) => Boolean(r.writeHead(307, { location: url }).end())),
    ],
    ['a broken connection', /the connection was closed/, (s) => (s.handle = (q) => Boolean(q.socket.destroy()))],
  ]

  it.each(failures)('because of %s is reported', async (_, reason, arrange) => {
    service.rules = await makePackage('91.4.0')
    arrange(service)
    const { status, err } = await omen(['updates', 'check'])
    expect(status).toBe(1)
    expect(err).toMatch(/^Network error: [^\n]+\n$/)
    expect(err).toMatch(reason)
  })

  it('is reported once if the service is down, and repeated after a pause', async () => {
    await service.close()
    const run = processes.omen(['-o', '', '--allow-empty'], { cwd: folder.path('work'), env: folder.environment() })
    const refused = `Warning: updates: 127.0.0.1:${service.port}: the connection was refused\n`
    await run.printed(refused)
    run.endInput()
    expect(await run.ended).toMatchObject({ status: 0, err: refused })
    expect(await omen(['-o', '', 'app.log'])).toMatchObject({ status: 0, err: '' })
  })

  it('does not delay a scan if the service never responds', async () => {
    service.handle = () => true
    const { status, out, err } = await omen(['-o', '', 'app.log'])
    expect(status).toBe(0)
    expect(err).toBe(`Warning: updates: 127.0.0.1:${service.port}: it did not respond in time\n`)
    expect(out).toContain('Matching lines done! [2 lines')
  })
})

describe('a configuration directory', () => {
  it('is created if it does not exist', async () => {
    service.rules = await makePackage('91.4.0')
    folder.remove('config')
    expect((await omen(['updates', 'trust', '-y', service.url])).status).toBe(0)
    expect((await omen(['updates', 'install'])).status).toBe(0)
    expect(statSync(folder.path('config')).mode & 0o777).toBe(0o700)
  })

  it('may contain an invalid updates.json', async () => {
    service.rules = await makePackage('91.4.0')
    for (const text of ['', 'nonsense', '[]', '{"service": 7}', `{"service": "${service.url}", "checked": "x"}`]) {
      folder.write('config/updates.json', text)
      chmodSync(folder.path('config/updates.json'), 0o600)
      expect((await omen(['updates', 'check'])).status).toBe(0)
      expect(JSON.parse(readFileSync(folder.path('config/updates.json'), 'utf8')).news).toBe('some')
    }
  })
})
