import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { useFolder } from './omen.js'

const folder = useFolder()
const home = fileURLToPath(new URL('..', import.meta.url))
const root = fileURLToPath(new URL('../../..', import.meta.url))
const { version, dependencies } = JSON.parse(readFileSync(`${home}/package.json`, 'utf8'))

/** A log that one of the bundled rules matches. */
const LOG = readFileSync(`${root}/rules/cre-2026-10003/hit.log`)

let program = ''
let installed = ''

/** The environment of a new machine: Node.js on the PATH, a home directory, and nothing of this checkout. */
function environment() {
  return { PATH: `${dirname(process.execPath)}:/usr/bin:/bin`, HOME: folder.path('home'), TZ: 'UTC' }
}

beforeAll(() => {
  for (const name of ['home', 'empty', 'packed', 'prefix']) mkdirSync(folder.path(name))
  const env = { ...environment(), npm_config_cache: folder.path('npm-cache'), npm_config_update_notifier: 'false' }
  const npm = (args: readonly string[], cwd: string) => execFileSync('npm', args, { cwd, env, stdio: 'pipe' })
  npm(['pack', '--pack-destination', folder.path('packed')], home)
  const [packed] = readdirSync(folder.path('packed'))
  npm(
    ['install', '--global', '--offline', '--prefix', folder.path('prefix'), folder.path(`packed/${packed}`)],
    folder.path('empty'),
  )
  program = folder.path('prefix/bin/omen')
  installed = folder.path('prefix/lib/node_modules/@omen/cli')
})

function omen(args: readonly string[], input: string | Buffer = '') {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: folder.path('empty'), env: environment(), input })
  return { status, out: String(stdout), err: String(stderr) }
}

describe('the npm package, installed without a network', () => {
  it('contains the tool and its documents, and nothing else', () => {
    const files = readdirSync(installed, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    const names = files.map(({ parentPath, name }) => `${parentPath}/${name}`.slice(installed.length + 1))
    const unnamed = names.filter((name) => !/^dist\/parts\/[\w.-]+\.js$/.test(name)).sort()
    expect(unnamed).toEqual([
      'LICENSE',
      'README.md',
      'dist/THIRD-PARTY-LICENSES',
      'dist/kubectl-omen.js',
      'dist/kubectl_complete-omen.js',
      'dist/omen.js',
      'dist/package.json',
      'dist/rule.schema.json',
      'dist/rules.compiled',
      'dist/rules.yaml',
      'dist/worker.js',
      'package.json',
    ])
    expect(dependencies).toBeUndefined()
    expect(readdirSync(folder.path('prefix/lib/node_modules'))).toEqual(['@omen'])
  })

  it('contains no path of the machine that built it', () => {
    for (const entry of readdirSync(installed, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue
      const path = `${entry.parentPath}/${entry.name}`
      expect([path, readFileSync(path, 'latin1').includes(root)]).toEqual([path, false])
    }
  })

  it('contains the license of every library', () => {
    const text = readFileSync(`${installed}/dist/THIRD-PARTY-LICENSES`, 'utf8')
    expect(text).toMatch(/^yaml \d[\w.]* \(ISC\)$/m)
    expect(text).not.toMatch(/^re2js /m)
  })

  it('prints its version', () => {
    expect(omen(['-v'])).toEqual({ status: 0, out: `omen ${version}\n`, err: '' })
  })

  it('finds problems with the bundled rules, without and with its caches', () => {
    for (const _ of ['first', 'again']) {
      const { status, out, err } = omen(['-q', '-o', '-'], LOG)
      expect({ status, err }).toEqual({ status: 0, err: '' })
      expect(JSON.parse(out).map(({ id }: { id: string }) => id)).toEqual(['CRE-2026-10003'])
    }
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
})

describe('a built checkout', () => {
  // npm links only programs that exist, and `npm ci` runs before the build.
  it.each([
    ['omen', 'cli'],
    ['kubectl-omen', 'cli'],
    ['kubectl_complete-omen', 'cli'],
    ['omen-server', 'server'],
  ])('provides %s to npx', (name, workspace) => {
    expect(realpathSync(`${root}/node_modules/.bin/${name}`)).toBe(`${root}packages/${workspace}/dist/${name}.js`)
  })
})
