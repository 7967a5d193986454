import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { LOG, RULES } from './example.js'
import { program, useFolder } from './omen.js'

const folder = useFolder()

/** The unprivileged user of the system. File modes do not restrict root. */
const NOBODY = 65534

/** A user without an entry in /etc/passwd, as in containers. */
const UNKNOWN = 54321

const isRoot = process.getuid?.() === 0
let node = process.execPath

beforeAll(() => {
  chmodSync(folder.path('.'), 0o755)
  // The checkout may be in a folder that other users cannot enter.
  for (const name of ['omen.js', 'worker.js', 'package.json', 'parts', 'rules.yaml', 'rules.compiled']) {
    cpSync(`${dirname(program)}/${name}`, folder.path(`tool/${name}`), { recursive: true })
  }
  if (spawnSync(node, ['-v'], identity(NOBODY)).status === 0) return
  node = folder.path('tool/node')
  cpSync(process.execPath, node)
})

beforeEach(() => {
  folder.write('rules.yaml', RULES)
  folder.write('app.log', LOG)
  folder.remove('working')
  // The working directory, which is not writable.
  mkdirSync(folder.path('working'), { mode: 0o755 })
  chmodSync(folder.path('working'), 0o555)
})

/** A user other than root is unprivileged already. */
function identity(uid: number) {
  return isRoot ? { uid, gid: uid } : {}
}

function omen(args: readonly string[], { env = {}, uid = NOBODY, input = '' } = {}) {
  const rules = ['-d', '-r', '../rules.yaml']
  const { status, stdout, stderr } = spawnSync(node, [folder.path('tool/omen.js'), ...rules, ...args], {
    cwd: folder.path('working'),
    env: folder.environment(env),
    input,
    ...identity(uid),
  })
  return { status, out: stdout.toString(), err: stderr.toString() }
}

function writeUnreadable(name: string, content: string): void {
  folder.remove(name)
  chmodSync(folder.write(name, content), 0)
}

describe('a configuration directory', () => {
  it('may be read-only: nothing is printed and nothing is written', () => {
    folder.write('read-only/config.yaml', 'skip: 10\n')
    chmodSync(folder.path('read-only'), 0o555)
    const { status, out, err } = omen(['-q', '-o', '-'], {
      env: { OMEN_CONFIG_DIR: folder.path('read-only') },
      input: LOG,
    })
    expect({ status, err }).toEqual({ status: 0, err: '' })
    expect(JSON.parse(out)).toHaveLength(2)
    expect(readdirSync(folder.path('read-only'))).toEqual(['config.yaml'])
    chmodSync(folder.path('read-only'), 0o755)
  })

  it('that cannot be entered is an error if it was named', () => {
    mkdirSync(folder.path('hidden'), { mode: 0 })
    const { status, out, err } = omen(['-o', '', '../app.log'], { env: { OMEN_CONFIG_DIR: folder.path('hidden') } })
    expect({ status, out }).toEqual({ status: 1, out: '' })
    expect(err).toMatch(/^Config error: \S+config\.yaml: permission denied; .*OMEN_CONFIG_DIR\n$/)
  })

  it('with an unreadable config.yaml is an error', () => {
    writeUnreadable('closed/config.yaml', 'skip: 10\n')
    const { status, err } = omen(['-o', '', '../app.log'], { env: { OMEN_CONFIG_DIR: folder.path('closed') } })
    expect({ status, err }).toEqual({
      status: 1,
      err: expect.stringMatching(/^Config error: \S+config\.yaml: permission denied/),
    })
  })

  it.each([
    ['a home that does not exist', '/nonexistent'],
    ['a home that is not a folder', '/dev/null'],
    ['no home', ''],
  ])('is not needed with %s', (_, home) => {
    const { status, out, err } = omen(['-q', '-o', '-', '../app.log'], { env: { OMEN_CONFIG_DIR: '', HOME: home } })
    expect({ status, err }).toEqual({ status: 0, err: '' })
    expect(JSON.parse(out)).toHaveLength(2)
  })

  it('in the home of another user causes one warning, and none with -q', () => {
    mkdirSync(folder.path('home'), { mode: 0 })
    const env = { OMEN_CONFIG_DIR: '', HOME: folder.path('home') }
    expect(omen(['-o', '', '../app.log'], { env }).err).toMatch(
      /^Warning: \S+\.preq: no permission to read the settings; [^\n]*\n$/,
    )
    expect(omen(['-q', '-o', '', '../app.log'], { env })).toEqual({ status: 0, out: '', err: '' })
  })

  it('of a user without an entry in /etc/passwd can be anywhere', () => {
    mkdirSync(folder.path('own'))
    chmodSync(folder.path('own'), 0o777)
    const env = { OMEN_CONFIG_DIR: folder.path('own/deep/down') }
    expect(omen(['-q', '-o', '', '../app.log'], { env, uid: UNKNOWN })).toEqual({ status: 0, out: '', err: '' })
    expect(statSync(folder.path('own/deep/down/.ruletoken')).mode & 0o777).toBe(0o600)
    const token = readFileSync(folder.path('own/deep/down/.ruletoken'), 'utf8')
    omen(['-q', '-o', '', '../app.log'], { env, uid: UNKNOWN })
    expect(readFileSync(folder.path('own/deep/down/.ruletoken'), 'utf8')).toBe(token)
  })
})

describe('data', () => {
  it.each([NOBODY, UNKNOWN])('that cannot be read is reported, and the rest is read, as user %i', (uid) => {
    writeUnreadable('hidden.log', LOG)
    const { status, out, err } = omen(['-o', '', '../hidden.log', '../app.log'], { uid })
    expect(status).toBe(1)
    expect(err).toMatch(/^Data error: \.\.\/hidden\.log: permission denied[^\n]*\n$/)
    expect(out).toContain('\nTEST-0001 medium [2 hits')
    expect(out).not.toContain('hidden.log')
  })

  it('in a folder with unreadable files is read as far as possible', () => {
    folder.write('logs/a.log', LOG)
    writeUnreadable('logs/b.log', LOG)
    folder.write('logs/deep/c.log', LOG)
    chmodSync(folder.path('logs/deep'), 0)
    const { status, out, err } = omen(['-o', '', '../logs'])
    chmodSync(folder.path('logs/deep'), 0o755)
    expect(status).toBe(1)
    const lines = err.trimEnd().split('\n').sort()
    expect(lines).toEqual([
      expect.stringMatching(/^Data error: \.\.\/logs\/b\.log: permission denied/),
      expect.stringMatching(/^Data error: \.\.\/logs\/deep: .*permission denied/),
    ])
    expect(out).toContain('\nTEST-0001 medium [2 hits')
  })

  it('of an unreadable data source file is an error', () => {
    writeUnreadable('sources.yaml', 'version: 0.1.0\n')
    const { status, out, err } = omen(['-o', '', '-s', '../sources.yaml'])
    expect({ status, out }).toEqual({ status: 1, out: '' })
    expect(err).toMatch(/^Data error: \.\.\/sources\.yaml: permission denied[^\n]*\n$/)
  })

  it('is read from a pipe of another user', () => {
    expect(omen(['-q', '-o', '', '/dev/stdin'], { input: LOG })).toEqual({ status: 0, out: '', err: '' })
  })
})

describe('rules that cannot be read', () => {
  it.each([
    ['a document', 'hidden-rules/rules.yaml', 'hidden-rules/rules.yaml'],
    ['a folder', 'hidden-folder/rules.yaml', 'hidden-folder'],
  ])('stop the run: %s', (_, file, hidden) => {
    folder.write(file, RULES)
    chmodSync(folder.path(hidden), 0)
    const { status, out, err } = omen(['-r', `../${hidden}`, '-o', '', '../app.log'])
    chmodSync(folder.path(hidden), 0o755)
    expect({ status, out }).toEqual({ status: 1, out: '' })
    expect(err).toBe(`Rules error: ../${hidden}: permission denied\n`)
  })
})

describe('a read-only working directory', () => {
  it('prevents the report, which is reported after the summary', () => {
    const { status, out, err } = omen(['../app.log'])
    expect(status).toBe(1)
    expect(out).toMatch(/\nTEST-0001 medium \[2 hits .*\]\n$/)
    expect(err).toMatch(/^Output error: omen-report-\d+\.json: permission denied; choose another folder\n$/)
  })

  it('is reported before anything is read if the report has a name', () => {
    const { status, out, err } = omen(['-o', 'report.json', '../app.log'])
    expect({ status, out }).toEqual({ status: 1, out: '' })
    expect(err).toBe('Output error: report.json: no permission to create files in .; choose another folder\n')
  })

  it('prevents templates and state files too', () => {
    for (const flag of ['-g', '-j']) {
      expect(omen([flag])).toMatchObject({
        status: 1,
        out: '',
        err: expect.stringMatching(/^Output error: \S+: permission/),
      })
    }
    const state = omen(['-o', '', '--state', 'state.json', '../app.log'])
    expect(state).toMatchObject({
      status: 1,
      err: expect.stringMatching(/^State error: state\.json: permission denied/),
    })
    expect(readdirSync(folder.path('working'))).toEqual([])
  })
})

describe('an existing report', () => {
  it('is not replaced if it is write-protected', () => {
    chmodSync(folder.path('working'), 0o777)
    chmodSync(folder.write('working/report.json', 'old'), 0o444)
    const { status, err } = omen(['-q', '-o', 'report.json', '../app.log'])
    expect({ status, err }).toEqual({
      status: 1,
      err: 'Output error: report.json: permission denied; choose another folder\n',
    })
    expect(readFileSync(folder.path('working/report.json'), 'utf8')).toBe('old')
    expect(existsSync(folder.path('working/.report.json'))).toBe(false)
  })
})
