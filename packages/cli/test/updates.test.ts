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

/** Runs the tool, beside this process: the service has to answer meanwhile. */
async function omen(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const run = processes.omen(args, { cwd: folder.path('work'), env: folder.environment(env) })
  run.giveNoMore()
  return run.ended
}

/** The ids that a scan finds. What it says of updates comes before the report. */
async function scan(...args: string[]) {
  const { status, out, err } = await omen(['-q', '-o', '-', ...args, 'app.log'])
  return { status, found: JSON.parse(out).map(({ id }: { id: string }) => id), err }
}

const installed = (name = '') =>
  readdirSync(folder.path('config'))
    .filter((file) => file.includes(`cre-rules.${name}`))
    .sort()
const asked = (end: string) => service.requests.filter(({ path }) => path.endsWith(end))

describe('omen updates install', () => {
  it('brings the package with its hash and signature, which other tools accept too', async () => {
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

  it('says that there is nothing to do when it was done', async () => {
    service.rules = await makePackage('91.4.0')
    await omen(['updates', 'install'])
    expect(await omen(['updates', 'install'])).toEqual({ status: 0, out: 'Up to date: rules 91.4.0\n', err: '' })
    expect(asked('.yaml.gz')).toHaveLength(1)
  })

  it('keeps the package before, and removes those before that', async () => {
    for (const version of ['91.4.0', '91.5.0', '91.6.0']) {
      service.rules = await makePackage(version, { word: `word ${version}` })
      expect((await omen(['updates', 'install', '-q'])).status).toBe(0)
    }
    expect(installed().map((name) => name.split('.').slice(1, 4).join('.'))).toEqual([
      ...Array(3).fill('91.5.0'),
      ...Array(3).fill('91.6.0'),
    ])
  })

  it('refuses an older package than the installed one or the one that comes with omen', async () => {
    service.rules = await makePackage('91.4.0')
    await omen(['updates', 'install'])
    service.rules = await makePackage('91.3.0', { word: 'old' })
    const { status, out } = await omen(['updates', 'install'])
    expect({ status, out }).toEqual({ status: 0, out: 'Refused rules 91.3.0: 91.4.0 is installed, and is newer\n' })
    folder.remove('config')
    configure()
    service.rules = await makePackage('0.9.0', { word: 'very old' })
    expect((await omen(['updates', 'install'])).out).toBe(
      `Refused rules 0.9.0: ${BUNDLED} is installed, and is newer\n`,
    )
    expect(installed()).toEqual([])
  })

  it('installs no other version than rulesVersion', async () => {
    configure('rulesVersion: 91.4.0\n')
    service.rules = await makePackage('91.5.0')
    expect((await omen(['updates', 'install'])).out).toBe(
      'Left out rules 91.5.0: rulesVersion stays on another version\n',
    )
    service.rules = await makePackage('91.4.0')
    expect((await omen(['updates', 'install'])).out).toMatch(/Installed rules 91\.4\.0\n$/)
    expect(await scan()).toMatchObject({ found: ['CRE-2026-90001'], err: '' })
  })

  it('brings the rules of an organization beside those of the community', async () => {
    folder.write('config/.ruletoken', 'omen_secretToken1\n')
    service.rules = await makePackage('91.4.0')
    service.private = await makePackage('3.0.0', { kind: 'private', id: 'ACME-0001', word: 'gremlins' })
    expect((await omen(['updates', 'install'])).out).toMatch(
      /\nInstalled rules 91\.4\.0\nInstalled private rules 3\.0\.0\n$/,
    )
    expect(asked('latest')[0]?.headers.authorization).toBe('Bearer omen_secretToken1')
    expect((await scan()).found).toEqual(expect.arrayContaining(['ACME-0001', 'CRE-2026-90001']))
    expect((await scan('-d')).found).toEqual(['ACME-0001'])
    expect(statSync(folder.path(`config/${service.private.file}`)).mode & 0o777).toBe(0o600)
    const { out } = await omen(['config'])
    expect(out).toMatch(/^Community rules +91\.4\.0 +\S+\/config\/omen-public-cre-rules\.91\.4\.0\.\w+\.yaml\.gz$/m)
    expect(out).toMatch(/^Private rules +3\.0\.0 +\S+\/config\/omen-private-cre-rules\.3\.0\.0\.\w+\.yaml\.gz$/m)
  })

  it('takes a package by any of several keys', async () => {
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
  it('of an anonymous installation is shown to nobody', async () => {
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

  it('stands in no message and no log', async () => {
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
    expect(head).toMatch(new RegExp(`^${service.url}: last answered 20\\d\\d-.*Z$`))
    expect(rows.slice(0, 3).map((row) => row.trim().split(/ {2,}/))).toEqual([
      ['INSTALLED', 'OFFERED', 'SIZE', 'WHAT'],
      ['rules', BUNDLED, '91.4.0', `${service.rules.bytes.length} B`, 'new: Kafka, etcd'],
      ['omen', VERSION, '99.0.0', 'new'],
    ])
    expect(out).toMatch(/\n\nRules: omen updates install\nomen: {2}git pull && npm ci && npm run build\n$/)
    expect(installed()).toEqual([])
  })

  it('gives JSON', async () => {
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

  it('asks only whether something has changed, and shows what was answered before', async () => {
    service.rules = await makePackage('91.4.0')
    await omen(['updates', 'check'])
    expect((await omen(['updates', 'check'])).out).toContain('91.4.0')
    expect(asked('latest')[1]?.headers['if-none-match']).toMatch(/^"\w{16}"$/)
  })

  it('shows what was answered before when the service is away', async () => {
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

  it('without a service says how to get one, and contacts nobody', async () => {
    folder.write('config/config.yaml', '')
    const { status, out, err } = await omen(['updates', 'check'])
    expect({ status, err }).toEqual({ status: 0, err: '' })
    expect(out).toContain('omen updates trust <service url>')
    expect(service.requests).toEqual([])
  })
})

describe('a scan', () => {
  /** Lets the service be asked, so that what follows does not depend on how fast it answers. */
  async function checked(): Promise<void> {
    expect((await omen(['updates', 'check'])).status).toBe(0)
  }

  it('without a service contacts nobody', async () => {
    folder.write('config/config.yaml', 'acceptUpdates: true\n')
    expect(await scan('-y')).toMatchObject({ status: 0, err: '' })
    expect(service.requests).toEqual([])
    expect(existsSync(folder.path('config/updates.json'))).toBe(false)
  })

  it('says in one line that there are newer rules, and not with -q', async () => {
    service.rules = await makePackage('91.4.0')
    await checked()
    const { status, out, err } = await omen(['-o', '', 'app.log'])
    expect({ status, err }).toEqual({ status: 0, err: '' })
    expect(out.split('\n')[0]).toBe(`Rules 91.4.0 are available (${BUNDLED} is installed): omen updates install`)
    expect(await omen(['-q', '-o', '', 'app.log'])).toEqual({ status: 0, out: '', err: '' })
    expect(asked('latest')).toHaveLength(1)
  })

  it.each([
    ['-y', '', ['-y']],
    ['acceptUpdates', 'acceptUpdates: true\n', []],
  ])('installs them with %s and runs with them at once', async (_, config, args) => {
    configure(config)
    service.rules = await makePackage('91.4.0')
    await checked()
    const { status, out, err } = await omen([...args, '-o', '', 'app.log'])
    expect({ status, err }).toEqual({ status: 0, err: '' })
    expect(out).toMatch(/^Downloading rules 91\.4\.0 done! .*\nInstalled rules 91\.4\.0\nParsing rules done! \[1 rules/)
    expect(out).toContain('CRE-2026-90001 high [1 hits')
    expect((await omen(['-o', '', 'app.log'])).out).toMatch(/^Parsing rules done/)
  })

  it('asks the service again when the last time is long enough ago, and not before', async () => {
    service.rules = await makePackage('91.4.0')
    await checked()
    await scan()
    expect(asked('latest')).toHaveLength(1)
    configure('updateFrequency: 1ns\n')
    // It ends when the test says so: the service has all the time it needs.
    const run = processes.omen(['-l', 'debug', '-q', '-o', ''], { cwd: folder.path('work'), env: folder.environment() })
    await run.said('update check answered')
    run.giveNoMore()
    expect((await run.ended).status).toBe(0)
    expect(asked('latest')).toHaveLength(2)
  })

  it('keeps an answer that comes while it runs for the next run', async () => {
    service.rules = await makePackage('91.4.0')
    const arrival = new Promise<ServerResponse>((resolve) => {
      service.handle = (_, response) => {
        resolve(response)
        return true
      }
    })
    const run = processes.omen(['-l', 'debug', '-o', ''], { cwd: folder.path('work'), env: folder.environment() })
    // The rules are loaded: it does not wait any more.
    await run.said('rules loaded')
    const response = await arrival
    response.end(service.latest())
    await run.said('update check answered')
    run.giveNoMore()
    expect((await run.ended).out).not.toContain('available')
    service.handle = undefined
    expect((await omen(['-o', '', 'app.log'])).out).toMatch(/^Rules 91\.4\.0 are available/)
    expect(asked('latest')).toHaveLength(1)
  })

  it('goes on where the configuration directory cannot be written to, and says so', async () => {
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
      `Rules 91.4.0 are available (${BUNDLED} is installed): ${folder.path('config')} cannot be written to`,
    )
  })

  it('does not install rules that repeat those of rules.paths: they would stop every scan', async () => {
    folder.write('config/own.yaml', ruleFor('CRE-2026-90001', 'my own'))
    configure('rules: {paths: [own.yaml]}\n')
    service.rules = await makePackage('91.4.0')
    await checked()
    const { status, out, err } = await omen(['-y', '-o', '', 'app.log'])
    expect(status).toBe(0)
    expect(err).toMatch(
      /^Warning: omen-public-cre-rules\.91\.4\.0\.\w+\.yaml\.gz: it repeats a rule that you have: duplicate .*cre=CRE-2026-90001: not installed\n$/,
    )
    expect(out).not.toContain('Installed')
    expect(installed()).toEqual([])
  })
})

describe('a package that is not what it should be is refused, and the old one goes on', () => {
  /** An old package is installed; the new one, 91.5.0, is to fail. */
  beforeEach(async () => {
    putInPlace(folder.path('config'), await makePackage('91.4.0'), keys)
    service.rules = await makePackage('91.5.0', { word: 'gremlins', random: 20_000 })
  })

  /** By command it is an error; in a scan a warning, and the exit code stays what it was. */
  async function expectRefusal(reason: string | RegExp): Promise<void> {
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

  const inFile = (end: string, reply: (name: string) => Buffer | string | undefined) => {
    service.handle = (request, response) => {
      if (!request.url?.endsWith(end)) return false
      const body = reply(service.rules!.file)
      if (body === undefined) return false
      response.end(body)
      return true
    }
  }

  it('wrong bytes of the right size', async () => {
    inFile('.yaml.gz', () => Buffer.alloc(service.rules!.bytes.length, 'x'))
    await expectRefusal(/: its SHA-256 is \w{64}, and \w{64} was announced: not installed/)
  })

  it('another .sha256', async () => {
    inFile('.sha256', (name) => `${sha256(Buffer.from('other'))}  ${name}\n`)
    await expectRefusal(/\.sha256: it says \w{64}, and \w{64} was announced/)
  })

  it('a wrong signature', async () => {
    inFile('.sig', () => Buffer.from('3006020101020101', 'hex'))
    await expectRefusal(/: its signature is not by a key that you trust \(SHA256:[\w+/]{43}\): not installed/)
  })

  it('a signature that is none', async () => {
    inFile('.sig', () => 'nonsense')
    await expectRefusal(/: its signature is not by a key that you trust/)
  })

  it('the signature of another key', async () => {
    service.signer = makeKeys()
    await expectRefusal(/: its signature is not by a key that you trust/)
  })

  it('fewer bytes than were announced', async () => {
    inFile('.yaml.gz', () => service.rules!.bytes.subarray(0, -1))
    await expectRefusal(/: it has \d+ bytes, and \d+ were announced/)
  })

  it('more bytes than were announced, without saying how many', async () => {
    service.handle = (request, response) => {
      if (!request.url?.endsWith('.yaml.gz')) return false
      response.write(service.rules!.bytes)
      response.end('more')
      return true
    }
    await expectRefusal(/: it is longer than the \d+ bytes that were announced/)
  })

  it('a connection that ends in the middle each time', async () => {
    const { length } = service.rules!.bytes
    service.handle = (request, response) => {
      if (!request.url?.endsWith('.yaml.gz')) return false
      response.writeHead(200, { 'content-length': length })
      response.write(service.rules!.bytes.subarray(0, 1000), () => response.destroy())
      return true
    }
    await expectRefusal(/: the connection was closed/)
  })

  it.each([500, 503, 404, 403])('HTTP %i', async (status) => {
    service.handle = (request, response) =>
      request.url?.endsWith('.yaml.gz') ? Boolean(response.writeHead(status).end()) : false
    await expectRefusal(`HTTP ${status}: `)
  })

  it('a redirect to elsewhere', async () => {
    service.handle = (request, response) =>
      request.url?.endsWith('.yaml.gz')
        ? Boolean(response.writeHead(302, { location: 'https://mirror.example.org/x.gz' }).end())
        : false
    await expectRefusal(`: refused, because it leads to https://mirror.example.org and not to ${service.url}`)
  })

  it('another version inside than the one that is announced', async () => {
    service.rules = await makePackage('91.5.0', { inside: '91.2.0' })
    await expectRefusal(/: there is version 91\.2\.0 inside, and 91\.5\.0 was announced: not installed/)
  })

  it('something signed that is no package of rules', async () => {
    const bytes = Buffer.from('rules: [{cre: {id: 7}}]\n')
    const file = `omen-public-cre-rules.91.5.0.${sha256(bytes).slice(0, 12)}.yaml.gz`
    service.rules = { version: '91.5.0', file, bytes }
    await expectRefusal(/: not installed/)
  })

  it('a key that nobody trusts any more', async () => {
    configure('', [makeKeys()])
    await expectRefusal(/: its signature is not by a key that you trust/)
  })
})

describe('what goes wrong with a check', () => {
  const wrongs: readonly (readonly [string, RegExp, (service: ReleaseService) => void])[] = [
    ['HTTP 500', /HTTP 500: the service is in trouble/, (s) => (s.handle = (_, r) => Boolean(r.writeHead(500).end()))],
    ['HTTP 404', /HTTP 404/, (s) => (s.handle = (_, r) => Boolean(r.writeHead(404).end()))],
    ['no JSON', /wrongly: the answer is not JSON/, (s) => (s.handle = (_, r) => Boolean(r.end('<html>')))],
    ['no object', /wrongly: the answer is no object/, (s) => (s.announce = () => [])],
    ['an endless answer', /the response is longer than \d+ bytes/, (s) => (s.announce = () => 'x'.repeat(300_000))],
    [
      'files that lie elsewhere',
      /wrongly: rules\.url leads to evil\.example\.org/,
      (s) => (s.announce = ({ rules }) => ({ rules: { ...(rules as object), url: 'https://evil.example.org/x' } })),
    ],
    [
      'a redirect to elsewhere',
      /leads to https:\/\/evil\.example\.org and not to/,
      (s) => (s.handle = (_, r) => Boolean(r.writeHead(307, { location: 'https://evil.example.org/' }).end())),
    ],
    [
      'a redirect in circles',
      /redirects in circles/,
      (s) => (s.handle = ({ url }, r) => Boolean(r.writeHead(307, { location: url }).end())),
    ],
    ['a broken connection', /the connection was closed/, (s) => (s.handle = (q) => Boolean(q.socket.destroy()))],
  ]

  it.each(wrongs)('%s is told, and what is installed stays', async (_, reason, arrange) => {
    service.rules = await makePackage('91.4.0')
    arrange(service)
    const { status, err } = await omen(['updates', 'check'])
    expect(status).toBe(1)
    expect(err).toMatch(/^Network error: [^\n]+\n$/)
    expect(err).toMatch(reason)
  })

  it('a service that is not there is told once, and left alone for a while', async () => {
    await service.close()
    const run = processes.omen(['-o', ''], { cwd: folder.path('work'), env: folder.environment() })
    const refused = `Warning: updates: 127.0.0.1:${service.port}: the connection was refused\n`
    await run.said(refused)
    run.giveNoMore()
    expect(await run.ended).toMatchObject({ status: 0, err: refused })
    expect(await omen(['-o', '', 'app.log'])).toMatchObject({ status: 0, err: '' })
  })

  it('a service that never answers does not hold up a scan', async () => {
    service.handle = () => true
    const { status, out, err } = await omen(['-o', '', 'app.log'])
    expect(status).toBe(0)
    expect(err).toBe(`Warning: updates: 127.0.0.1:${service.port}: it did not respond in time\n`)
    expect(out).toContain('Matching lines done! [2 lines')
  })
})

describe('a configuration directory', () => {
  it('that is not there is made', async () => {
    service.rules = await makePackage('91.4.0')
    folder.remove('config')
    expect((await omen(['updates', 'trust', '-y', service.url])).status).toBe(0)
    expect((await omen(['updates', 'install'])).status).toBe(0)
    expect(statSync(folder.path('config')).mode & 0o777).toBe(0o700)
  })

  it('with a state that is nonsense works all the same', async () => {
    service.rules = await makePackage('91.4.0')
    for (const text of ['', 'nonsense', '[]', '{"service": 7}', `{"service": "${service.url}", "checked": "x"}`]) {
      folder.write('config/updates.json', text)
      chmodSync(folder.path('config/updates.json'), 0o600)
      expect((await omen(['updates', 'check'])).status).toBe(0)
      expect(JSON.parse(readFileSync(folder.path('config/updates.json'), 'utf8')).news).toBe('some')
    }
  })
})
