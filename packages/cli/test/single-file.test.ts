import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { findNode24 } from '../../../scripts/node-24.mjs'
import { VERSION } from '../src/version.js'
import { useFolder } from './omen.js'
import { type KeyPair, makeKeys, makePackage, type ReleaseService, startService, trusting } from './release-service.js'
import { useProcesses } from './running.js'

const folder = useFolder()
const home = fileURLToPath(new URL('..', import.meta.url))
const root = fileURLToPath(new URL('../../..', import.meta.url))

const LOG = readFileSync(`${root}/rules/cre-2026-10003/hit.log`)

/** Logs which scripts the executable compiles, whether it has their code, and which threads it starts. */
const PROBE = `
const { appendFileSync } = require('node:fs')
const note = (...fields) => appendFileSync(process.env.PROBE_OUTPUT, fields.join(' ') + '\\n')
const vm = require('node:vm')
vm.Script = class extends vm.Script {
  constructor(source, options) {
    super(source, options)
    if (options.cachedData) note('code', options.filename, this.cachedDataRejected ? 'refused' : 'used')
  }
}
const threads = require('node:worker_threads')
threads.Worker = class extends threads.Worker {
  constructor(...rest) {
    super(...rest)
    note('thread')
  }
}
`

let printed = ''

beforeAll(() => {
  printed = execFileSync(process.execPath, [`${home}/scripts/package.mjs`], { encoding: 'utf8' })
  mkdirSync(folder.path('alone'))
  copyFileSync(`${home}/dist/single-file/omen`, folder.path('alone/omen'))
})

/** Runs the executable in an empty folder, without Node.js on its PATH. */
function omen(args: readonly string[], input: string | Buffer = '', more: NodeJS.ProcessEnv = {}) {
  const env = { PATH: '/nowhere', HOME: folder.path('alone'), TZ: 'UTC', ...more }
  const { status, stdout, stderr } = spawnSync('./omen', args, { cwd: folder.path('alone'), env, input })
  return { status, out: String(stdout), err: String(stderr) }
}

/** The log of `PROBE`. */
function probe(args: readonly string[], input?: string): string[] {
  const NODE_OPTIONS = `--require=${folder.write('probe.cjs', PROBE)}`
  const PROBE_OUTPUT = folder.write('probe.log', '')
  expect(omen(args, input, { NODE_OPTIONS, PROBE_OUTPUT })).toMatchObject({ status: 0, err: '' })
  return readFileSync(PROBE_OUTPUT, 'utf8').trimEnd().split('\n')
}

describe('the single-file executable, alone in a folder', () => {
  it('prints its version', () => {
    expect(omen(['-v'])).toEqual({ status: 0, out: `omen ${VERSION}\n`, err: '' })
  })

  it('contains Node.js 24 where npm has installed it, and `npm run package` says so', () => {
    const [, version] = /^Wrote \S+\/omen, which contains Node\.js (\S+)\n$/.exec(printed)!
    const NODE_OPTIONS = `--require=${folder.write('version.cjs', 'console.log(process.versions.node)')}`
    expect(omen(['-v'], '', { NODE_OPTIONS }).out).toBe(`${version}\nomen ${VERSION}\n`)
    if (findNode24() !== undefined) expect(version).toMatch(/^24\./)
  })

  it('is the kubectl plugin under the name kubectl-omen', () => {
    symlinkSync('omen', folder.path('alone/kubectl-omen'))
    const { stdout } = spawnSync(folder.path('alone/kubectl-omen'), ['--help'], { env: { PATH: '/nowhere' } })
    expect(String(stdout)).toContain('Usage: kubectl omen [flags] <target>…\n')
  })

  it('finds problems with the rules inside it', () => {
    const { status, out, err } = omen(['-q', '-o', '-'], LOG)
    expect({ status, err }).toEqual({ status: 0, err: '' })
    expect(JSON.parse(out).map(({ id }: { id: string }) => id)).toEqual(['CRE-2026-10003'])
  })

  it('uses the compiled code inside it and writes none', () => {
    const lines = probe(['-q', '-o', ''])
    expect(lines).toContain('code omen/parts/run.js used')
    expect(lines.filter((line) => line.endsWith('refused'))).toEqual([])
    const files = readdirSync(folder.path('alone'), { recursive: true }).map(String)
    expect(files.filter((name) => name.includes('code-'))).toEqual([])
  })

  it('compiles rules of the user', () => {
    const rules = `rules:
  - cre: {id: TEST-0001}
    rule: {set: {event: {source: x}, match: [{jq: '.level == "error" and (.msg | test("dis[ck] full"))'}]}}
`
    const log = '{"time":"2026-03-01T12:00:01Z","level":"error","msg":"disk full"}\n'
    const { status, out, err } = omen(['-q', '-d', '-r', folder.write('own.yaml', rules), '-o', '-'], log)
    expect({ status, err }).toEqual({ status: 0, err: '' })
    expect(JSON.parse(out).map(({ id }: { id: string }) => id)).toEqual(['TEST-0001'])
  })

  it('finds the same problems on two threads as on one', () => {
    const line = '2026-03-01T12:00:01Z all is well with this program and with all others\n'
    const quiet = Buffer.alloc(17 << 20, line).subarray(0, Math.floor((17 << 20) / line.length) * line.length)
    const log = folder.write('large.log', Buffer.concat([quiet, LOG, quiet, LOG]))
    const one = omen(['-q', '--threads', '1', '-o', '-', log])
    expect(JSON.parse(one.out).map(({ id }: { id: string }) => id)).toEqual(['CRE-2026-10003'])
    expect(omen(['-q', '--threads', '2', '-o', '-', log])).toEqual(one)
    expect(probe(['-q', '--threads', '2', '-o', '', log])).toContain('thread')
  })
})

describe('a new release of the single-file executable', () => {
  const processes = useProcesses()
  const isRoot = process.getuid?.() === 0
  const platform = `${process.platform}-${process.arch}`
  let keys: KeyPair
  let service: ReleaseService
  beforeEach(async () => {
    keys = makeKeys()
    service = await startService(keys)
    for (const name of ['bin', 'preq']) folder.remove(name)
    mkdirSync(folder.path('bin'))
    copyFileSync(`${home}/dist/single-file/omen`, folder.path('bin/omen'))
    chmodSync(folder.path('bin/omen'), 0o751)
    folder.write('preq/config.yaml', trusting(service.url, [keys]))
    folder.write('app.log', '2026-03-01T12:00:01Z all is well\n')
    offer('echo omen 99.0.0')
  })
  afterEach(() => service.close())

  /** Offers a release that is a line of shell. */
  function offer(line: string): void {
    service.tool = { version: '99.0.0', bytes: Buffer.from(`#!/bin/sh\n${line}\n`), platform, notes: 'faster' }
  }

  function start(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
    const run = processes.start(folder.path('bin/omen'), args, {
      cwd: folder.path('.'),
      env: { PATH: '/usr/bin:/bin', TZ: 'UTC', OMEN_CONFIG_DIR: folder.path('preq'), ...env },
    })
    run.endInput()
    return run.ended
  }

  const versionOf = (name: string) => spawnSync(folder.path(`bin/${name}`), ['-v'], { encoding: 'utf8' }).stdout
  const installed = () => readdirSync(folder.path('bin')).sort()

  it('replaces it with -y, and keeps the previous one', async () => {
    const { status, out, err } = await start(['updates', 'install', '-y'])
    expect({ status, err }).toEqual({ status: 0, err: '' })
    expect(out).toMatch(
      /^Downloading omen 99\.0\.0 done! .*\nInstalled omen 99\.0\.0 for the next run; the previous version is \S+\/bin\/omen\.previous\n$/,
    )
    expect(installed()).toEqual(['omen', 'omen.previous'])
    expect([versionOf('omen'), versionOf('omen.previous')]).toEqual(['omen 99.0.0\n', `omen ${VERSION}\n`])
    expect(statSync(folder.path('bin/omen')).mode & 0o777).toBe(0o751)
  })

  it('replaces it during a scan with -y, which is not affected; without -y, one line announces it', async () => {
    expect((await start(['updates', 'check'])).status).toBe(0)
    const without = await start(['-o', '', 'app.log'])
    expect(without.out.split('\n')[0]).toBe(
      `omen 99.0.0 is available (${VERSION} is installed): omen updates install -y`,
    )
    const { status, out, err } = await start(['-y', '-o', '', 'app.log'])
    expect({ status, err }).toEqual({ status: 0, err: '' })
    expect(out).toContain('Matching lines done! [1 line ')
    expect(versionOf('omen')).toBe('omen 99.0.0\n')
  })

  it('is installed after the rules, and only with -y', async () => {
    service.rules = await makePackage('91.4.0')
    const { status, out } = await start(['updates', 'install'])
    expect(status).toBe(0)
    expect(out).toContain('Installed rules 91.4.0\n')
    expect(out).toContain(`omen 99.0.0 is available (${VERSION} is installed): omen updates install -y\n`)
    expect(versionOf('omen')).toBe(`omen ${VERSION}\n`)
  })

  it.each([
    ['is signed by another key', /it is not signed with a trusted key/, () => (service.signer = makeKeys())],
    ['is an old one with a new name', /its version is "omen 0\.0\.9": not installed/, () => offer('echo omen 0.0.9')],
    [
      'does not run on this machine',
      /it does not run on this machine \(exit code 127\): not installed/,
      () => offer('exit 127'),
    ],
    [
      'has other bytes than announced',
      /its SHA-256 is/,
      () =>
        (service.handle = ({ url }, response) =>
          url?.includes('/v1/tool/') && !url.endsWith('.sig')
            ? Boolean(response.end(Buffer.alloc(service.tool!.bytes.length)))
            : false),
    ],
  ])('that %s is refused', async (_, reason, arrange) => {
    arrange()
    const { status, err } = await start(['updates', 'install', '-y'])
    expect(status).toBe(1)
    expect(err).toMatch(/^Network error: omen-99\.0\.0-\S+: [^\n]+\n$/)
    expect(err).toMatch(reason)
    expect(installed()).toEqual(['omen'])
    expect(versionOf('omen')).toBe(`omen ${VERSION}\n`)
  })

  it('that is older is refused', async () => {
    service.tool = { ...service.tool!, version: '0.0.9' }
    expect((await start(['updates', 'install', '-y'])).out).toBe(
      `Refused omen 0.0.9: the installed version ${VERSION} is newer\n`,
    )
  })

  it('for other platforms only is skipped', async () => {
    service.tool = { ...service.tool!, platform: 'sunos-sparc' }
    expect((await start(['updates', 'install', '-y'])).out).toBe(
      'Skipped omen 99.0.0: it is not available for this platform\n',
    )
    expect((await start(['-y', '-o', '', 'app.log'])).out).toMatch(/^Parsing rules/)
  })

  it('is for the image in a container', async () => {
    const { status, out } = await start(['updates', 'install', '-y'], { KUBERNETES_SERVICE_HOST: '10.0.0.1' })
    expect(status).toBe(0)
    expect(out).toBe(
      `omen 99.0.0 is available (${VERSION} is installed): in the image, run curl -fLo ${folder.path('bin/omen')} ${service.url}/v1/tool/omen-99.0.0-${platform}\n`,
    )
    expect(installed()).toEqual(['omen'])
  })

  it('in a folder of another user is announced with the command to run', async () => {
    chmodSync(folder.path('.'), 0o755)
    chmodSync(folder.path('bin'), 0o555)
    chmodSync(folder.path('bin/omen'), 0o755)
    const identity = isRoot ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] : ['env']
    const config = folder.path('theirs')
    const script = `mkdir -p -m 777 '${config}' && cp preq/config.yaml '${config}' && chmod 666 '${config}/config.yaml' && exec ${identity.join(' ')} bin/omen updates install -y`
    const run = processes.start('sh', ['-c', script], {
      cwd: folder.path('.'),
      env: { PATH: '/usr/bin:/bin', TZ: 'UTC', OMEN_CONFIG_DIR: config },
    })
    const { status, out, err } = await run.ended
    chmodSync(folder.path('bin'), 0o755)
    expect({ status, err }).toEqual({ status: 0, err: '' })
    const command = `sudo OMEN_CONFIG_DIR=${config} ${folder.path('bin/omen')} updates install -y`
    expect(out).toBe(`omen 99.0.0 is available (${VERSION} is installed): ${command}\n`)
    expect(existsSync(folder.path('bin/omen.previous'))).toBe(false)
  })
})
