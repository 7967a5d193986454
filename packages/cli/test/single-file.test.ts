import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { VERSION } from '../src/version.js'
import { useFolder } from './omen.js'

const folder = useFolder()
const home = fileURLToPath(new URL('..', import.meta.url))
const root = fileURLToPath(new URL('../../..', import.meta.url))

const LOG = readFileSync(`${root}/rules/cre-2026-10003/hit.log`)

/** Notes which scripts the executable compiles, whether it had their code, and how many threads come to life. */
const WITNESS = `
const { appendFileSync } = require('node:fs')
const note = (...words) => appendFileSync(process.env.WITNESSED, words.join(' ') + '\\n')
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

beforeAll(() => {
  execFileSync(process.execPath, [`${home}/scripts/package.mjs`], { stdio: 'pipe' })
  mkdirSync(folder.path('alone'))
  copyFileSync(`${home}/dist/single-file/omen`, folder.path('alone/omen'))
})

/** Runs the executable in a folder with nothing else, on a machine that has no Node.js as far as it can see. */
function omen(args: readonly string[], input: string | Buffer = '', more: NodeJS.ProcessEnv = {}) {
  const env = { PATH: '/nowhere', HOME: folder.path('alone'), TZ: 'UTC', ...more }
  const { status, stdout, stderr } = spawnSync('./omen', args, { cwd: folder.path('alone'), env, input })
  return { status, out: String(stdout), err: String(stderr) }
}

/** What the executable does behind the scenes. */
function witnessed(args: readonly string[], input?: string): string[] {
  const NODE_OPTIONS = `--require=${folder.write('witness.cjs', WITNESS)}`
  const WITNESSED = folder.write('witnessed', '')
  expect(omen(args, input, { NODE_OPTIONS, WITNESSED })).toMatchObject({ status: 0, err: '' })
  return readFileSync(WITNESSED, 'utf8').trimEnd().split('\n')
}

describe('the single-file executable, alone in a folder', () => {
  it('prints its version', () => {
    expect(omen(['-v'])).toEqual({ status: 0, out: `omen ${VERSION}\n`, err: '' })
  })

  it('finds problems with the rules inside it', () => {
    const { status, out, err } = omen(['-q', '-o', '-'], LOG)
    expect({ status, err }).toEqual({ status: 0, err: '' })
    expect(JSON.parse(out).map(({ id }: { id: string }) => id)).toEqual(['CRE-2026-10003'])
  })

  it('uses the compiled code inside it and writes none', () => {
    const lines = witnessed(['-q', '-o', ''])
    expect(lines).toContain('code omen/parts/run.js used')
    expect(lines.filter((line) => line.endsWith('refused'))).toEqual([])
    const files = readdirSync(folder.path('alone'), { recursive: true }).map(String)
    expect(files.filter((name) => name.includes('code-'))).toEqual([])
  })

  it('compiles rules of its user', () => {
    const rules = `rules:
  - cre: {id: TEST-0001}
    rule: {set: {event: {source: x}, match: [{jq: '.level == "error" and (.msg | test("dis[ck] full"))'}]}}
`
    const log = '{"time":"2026-03-01T12:00:01Z","level":"error","msg":"disk full"}\n'
    const { status, out, err } = omen(['-q', '-d', '-r', folder.write('own.yaml', rules), '-o', '-'], log)
    expect({ status, err }).toEqual({ status: 0, err: '' })
    expect(JSON.parse(out).map(({ id }: { id: string }) => id)).toEqual(['TEST-0001'])
  })

  it('finds the same on two threads as on one', () => {
    const line = '2026-03-01T12:00:01Z all is well with this program and with all others\n'
    const quiet = Buffer.alloc(17 << 20, line).subarray(0, Math.floor((17 << 20) / line.length) * line.length)
    const log = folder.write('large.log', Buffer.concat([quiet, LOG, quiet, LOG]))
    const one = omen(['-q', '--threads', '1', '-o', '-', log])
    expect(JSON.parse(one.out).map(({ id }: { id: string }) => id)).toEqual(['CRE-2026-10003'])
    expect(omen(['-q', '--threads', '2', '-o', '-', log])).toEqual(one)
    expect(witnessed(['-q', '--threads', '2', '-o', '', log])).toContain('thread')
  })
})
