import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readDataSourceFile } from '../sources/data-source-file.js'
import { configurationFolder } from './configuration-folder.js'
import { loadSettings } from './load-settings.js'
import { ensureRuleToken } from './rule-token.js'
import { DEFAULT_SETTINGS } from './settings.js'

const NOBODY = 65534

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'omen-rights-'))
  chmodSync(folder, 0o755)
})
afterEach(() => {
  chmodSync(folder, 0o755)
  rmSync(folder, { recursive: true, force: true })
})

/** Runs code as another user, because permissions do not apply to root. */
async function asOrdinaryUser<T>(work: () => T | Promise<T>, user = NOBODY): Promise<T> {
  if (process.getuid?.() !== 0) return work()
  process.seteuid!(user)
  try {
    return await work()
  } finally {
    process.seteuid!(0)
  }
}

test('a user that the system does not know, as in many containers, has its folder at the root', async () => {
  const { HOME: home } = process.env
  delete process.env.HOME
  const found = await asOrdinaryUser(() => configurationFolder(process.env), 54_321)
  if (home !== undefined) process.env.HOME = home
  // Without root the test cannot become such a user: the current one is known to the system.
  expect(found).toBe(process.getuid?.() === 0 ? '/.preq' : join(userInfo().homedir, '.preq'))
})

describe('config.yaml', () => {
  test('that is not readable is an error that says what to do', async () => {
    const path = join(folder, 'config.yaml')
    writeFileSync(path, 'skip: 1\n', { mode: 0o000 })
    const failure = await asOrdinaryUser(() => loadSettings({ folder, env: { HOME: '/' } }).catch((error) => error))
    expect(failure).toMatchObject({
      kind: 'Config',
      message: `${path}: permission denied; change its permissions, or set OMEN_CONFIG_DIR`,
    })
  })

  test('in the home of another user is ignored, with a warning', async () => {
    const home = join(folder, 'home')
    mkdirSync(home, { mode: 0o000 })
    const inside = join(home, '.preq')
    const { settings, warnings } = await asOrdinaryUser(() => loadSettings({ folder: inside, env: { HOME: home } }))
    expect(settings).toEqual(DEFAULT_SETTINGS)
    expect(warnings).toEqual([`${inside}: no permission to read the settings; set OMEN_CONFIG_DIR to another folder`])
    chmodSync(home, 0o700)
  })

  test('in a configured folder must be readable', async () => {
    const hidden = join(folder, 'hidden')
    mkdirSync(hidden, { mode: 0o000 })
    const env = { HOME: '/', OMEN_CONFIG_DIR: hidden }
    const failure = await asOrdinaryUser(() => loadSettings({ folder: hidden, env }).catch((error) => error))
    expect(failure).toMatchObject({ kind: 'Config', message: expect.stringContaining('permission denied') })
    chmodSync(hidden, 0o700)
  })
})

test('a data source file that is not readable is an error that says what to do', async () => {
  const hidden = join(folder, 'hidden')
  mkdirSync(hidden, { mode: 0o000 })
  const path = join(hidden, 'sources.yaml')
  const failure = await asOrdinaryUser(() => readDataSourceFile(path).catch((error) => error))
  const message = `${path}: permission denied: try sudo, or make it readable`
  expect(failure).toMatchObject({ kind: 'Data', message })
  chmodSync(hidden, 0o700)
})

describe('.ruletoken', () => {
  test('is not created in a read-only folder', async () => {
    chmodSync(folder, 0o555)
    expect(await asOrdinaryUser(() => ensureRuleToken(folder))).toBeUndefined()
    expect(existsSync(join(folder, '.ruletoken'))).toBe(false)
  })

  test('is not created if the folder cannot be created', async () => {
    chmodSync(folder, 0o555)
    expect(await asOrdinaryUser(() => ensureRuleToken(join(folder, 'a/b')))).toBeUndefined()
  })

  test('is used from a read-only folder', async () => {
    writeFileSync(join(folder, '.ruletoken'), 'abc\n', { mode: 0o644 })
    chmodSync(folder, 0o555)
    expect(await asOrdinaryUser(() => ensureRuleToken(folder))).toBe('abc')
  })

  test('that is not readable is ignored and not replaced', async () => {
    const path = join(folder, '.ruletoken')
    writeFileSync(path, 'abc\n')
    chmodSync(path, 0o000)
    expect(await asOrdinaryUser(() => ensureRuleToken(folder))).toBeUndefined()
    expect(statSync(path).size).toBe(4)
  })
})
