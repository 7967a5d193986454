import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { createPartLoader } from '../src/packaged/load-parts.js'
import { VERSION } from '../src/version.js'
import { useFolder } from './omen.js'

const folder = useFolder()
const dist = fileURLToPath(new URL('../dist/', import.meta.url))

/** Logs which parts of the tool are read, and which modules of Node.js are loaded at the end. */
const PROBE = `
const fs = require('node:fs')
const { readFileSync, writeFileSync } = fs
const files = new Set()
fs.readFileSync = (path, ...rest) => {
  files.add(String(path))
  return readFileSync(path, ...rest)
}
process.on('exit', () => writeFileSync(process.env.PROBE_OUTPUT, JSON.stringify([[...files], process.moduleLoadList])))
`

/** Runs the tool in a shell, and returns the loaded parts and modules. */
function loadedBy(command: string) {
  const env = {
    ...process.env,
    NODE_OPTIONS: `--require=${folder.write('probe.cjs', PROBE)}`,
    PROBE_OUTPUT: folder.path('probe.json'),
    OMEN_CONFIG_DIR: folder.path('config'),
  }
  const omen = `"${process.execPath}" "${dist}omen.js"`
  const { status, stderr } = spawnSync('sh', ['-c', command.replace('omen', omen)], {
    env,
    cwd: folder.path('.'),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  expect({ status, err: String(stderr) }).toEqual({ status: 0, err: '' })
  const [files, modules]: [string[], string[]] = JSON.parse(readFileSync(folder.path('probe.json'), 'utf8'))
  return {
    parts: files.flatMap((file) => /[/\\]parts[/\\](.+)$/.exec(file)?.[1] ?? []).sort(),
    modules: modules.flatMap((name) => /^NativeModule (?!internal\/)(.+)$/.exec(name)?.[1] ?? []),
  }
}

/** Modules that take milliseconds to load, and that a start does not need. */
const SLOW_MODULES = [
  'child_process',
  'crypto',
  'http',
  'https',
  'net',
  'perf_hooks',
  'readline',
  'stream',
  'tty',
  'worker_threads',
  'zlib',
]

/** The file of each part. */
const FILES = new Map(
  readdirSync(`${dist}parts`).flatMap((file) => {
    const text = readFileSync(`${dist}parts/${file}`, 'latin1')
    return [...text.matchAll(/^(?:\(\{)?"([\w.-]+)":\(function\(exports,/gm)].map(([, part]) => [part!, file] as const)
  }),
)

describe('the parts', () => {
  const { load } = createPartLoader({
    fileOf: (part) => FILES.get(part)!,
    source: (file) => readFileSync(`${dist}parts/${file}`, 'latin1'),
    folder: dist,
  })

  // Not the two programs, because loading starts them.
  it.each([...FILES.keys()].filter((part) => part !== 'omen.js' && part !== 'worker.js'))(
    '%s can be loaded',
    (part) => {
      expect(() => load(part)).not.toThrow()
    },
  )

  it('do not contain the libraries that only some runs need', () => {
    const libraries = ['marked', 'tinyglobby', 'undici', 'xz-decompress', 'yaml', 'zstddec'].map((name) => `${name}.js`)
    expect(readdirSync(`${dist}parts`)).toEqual(expect.arrayContaining(libraries))
  })

  it('contain only ASCII, which V8 reads fastest', () => {
    for (const file of readdirSync(`${dist}parts`)) {
      const bytes = readFileSync(`${dist}parts/${file}`)
      expect([file, bytes.some((byte) => byte > 0x7f)]).toEqual([file, false])
    }
  })
})

/** Ways to damage a file. */
const DAMAGES: readonly ((whole: Buffer) => Buffer)[] = [
  () => Buffer.alloc(0),
  () => Buffer.from('nonsense'),
  (whole) => whole.subarray(0, 1000),
  (whole) => Buffer.alloc(whole.length),
  (whole) => Buffer.concat([whole.subarray(0, 5000), Buffer.alloc(4096), whole.subarray(9096)]),
  (whole) => whole.subarray(0, whole.length / 2),
]

describe('the code that a start loads', () => {
  it('is one small part for omen -v', () => {
    const { parts, modules } = loadedBy('omen -v > printed')
    expect(parts).toEqual(['omen.js'])
    expect(statSync(`${dist}parts/omen.js`).size).toBeLessThan(64 * 1024)
    expect(SLOW_MODULES.filter((name) => modules.includes(name))).toEqual([])
  })

  it.each([
    ['a file', 'omen -o "" --allow-empty empty.log > printed', []],
    ['a file at standard input', 'omen -q -o "" < empty.log', []],
    // A pipe is read asynchronously, which needs streams.
    ['a pipe', ': | omen -o "" --allow-empty > printed', ['net', 'stream']],
  ])('is for %s with the bundled rules only the scan: no compiler, no library', (_, command, needed) => {
    folder.write('empty.log', '')
    // The first run also creates the token of the installation.
    expect(loadedBy(command).parts).toEqual(['omen.js', 'run.js'])
    const { parts, modules } = loadedBy(command)
    expect(parts).toEqual(['omen.js', 'run.js'])
    expect(SLOW_MODULES.filter((name) => modules.includes(name))).toEqual(needed)
  })
})

describe('a service for updates', () => {
  it('costs one small file to read while no check is due: no part, no network module', () => {
    folder.write('empty.log', '')
    folder.write('config/config.yaml', 'skip: 10\n')
    const scan = 'omen -o "" --allow-empty empty.log > printed'
    loadedBy(scan)
    const without = loadedBy(scan)
    const url = 'https://omen.example.com'
    folder.write('config/config.yaml', `service: {url: "${url}"}\n`)
    const state = { service: url, checked: Date.now(), response: '{}', news: 'none', newsFor: VERSION }
    folder.write('config/updates.json', JSON.stringify(state))
    expect(loadedBy(scan)).toEqual(without)
    expect(
      SLOW_MODULES.filter(
        (name) => ['http', 'https', 'crypto', 'tls'].includes(name) && without.modules.includes(name),
      ),
    ).toEqual([])
    folder.remove('config')
  })
})

describe('the code cache', () => {
  const cachedFiles = () =>
    readdirSync(folder.path('config/cache'), { recursive: true })
      .map((name) => folder.path(`config/cache/${name}`))
      .filter((path) => /code-[^/]+[/\\][^/]+\.js$/.test(path))

  /** A file contains the code twice, to detect damage. */
  function compareHalves(path: string) {
    const bytes = readFileSync(path)
    const half = bytes.subarray(0, bytes.length / 2)
    return { size: bytes.length, areEqual: half.equals(bytes.subarray(half.length)) }
  }

  it('is not written by omen -v', () => {
    rmSync(folder.path('config'), { recursive: true, force: true })
    expect(folder.omen(['-v']).status).toBe(0)
    expect(existsSync(folder.path('config'))).toBe(false)
  })

  it('is written again if it is damaged, and does no harm', () => {
    const scan = () => folder.omen(['-q', '-o', '-'], '2026-03-01T12:00:01Z all is well\n')
    expect(scan()).toEqual({ status: 0, out: '[]\n', err: '' })
    const files = cachedFiles()
    const whole = files.map((path) => readFileSync(path))
    expect(files.length).toBeGreaterThan(0)
    for (const damage of DAMAGES) {
      for (const [i, path] of files.entries()) writeFileSync(path, damage(whole[i]!))
      expect(scan()).toEqual({ status: 0, out: '[]\n', err: '' })
      for (const path of files) {
        const { size, areEqual } = compareHalves(path)
        expect(size).toBeGreaterThan(10_000)
        expect(areEqual).toBe(true)
      }
    }
  })
})
