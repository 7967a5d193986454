import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ensureRuleToken } from './rule-token.js'

let root = ''
let folder = ''
let path = ''
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'omen-token-'))
  folder = join(root, 'a', '.preq')
  path = join(folder, '.ruletoken')
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const modeOf = (of: string) => statSync(of).mode & 0o777

test('a first run creates a random token that only its owner can read', () => {
  const token = ensureRuleToken(folder)
  expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/)
  expect(readFileSync(path, 'utf8')).toBe(`${token}\n`)
  expect(modeOf(path)).toBe(0o600)
  expect(modeOf(folder)).toBe(0o700)
  expect(readdirSync(folder)).toEqual(['.ruletoken'])
})

test('later runs use the same token', () => {
  expect(ensureRuleToken(folder)).toBe(ensureRuleToken(folder))
})

test('two installations have different tokens', () => {
  expect(ensureRuleToken(folder)).not.toBe(ensureRuleToken(join(root, 'b')))
})

test('an existing token is kept, and its permissions are restricted', () => {
  mkdirSync(folder, { recursive: true })
  writeFileSync(path, 'eyJhbGciOi.J9.x-y_z \n')
  chmodSync(path, 0o644)
  expect(ensureRuleToken(folder)).toBe('eyJhbGciOi.J9.x-y_z')
  expect(modeOf(path)).toBe(0o600)
  expect(readFileSync(path, 'utf8')).toBe('eyJhbGciOi.J9.x-y_z \n')
})

test('an empty token file, as a full disk leaves it, is replaced', () => {
  mkdirSync(folder, { recursive: true })
  writeFileSync(path, '\n')
  expect(ensureRuleToken(folder)).toMatch(/^[\w-]{43}$/)
  expect(readdirSync(folder)).toEqual(['.ruletoken'])
})

test.each(['two\nlines\n', 'a b\n', '\0\0\0', 'caf\u00e9', 'x'.repeat(20_000), ' '.repeat(20_000)])(
  'an invalid token is not used and not replaced',
  (content) => {
    mkdirSync(folder, { recursive: true })
    writeFileSync(path, content)
    expect(ensureRuleToken(folder)).toBeUndefined()
    expect(readFileSync(path, 'utf8')).toBe(content)
  },
)

test('a folder or a pipe instead of the file is ignored', () => {
  mkdirSync(path, { recursive: true })
  expect(ensureRuleToken(folder)).toBeUndefined()
  mkdirSync(join(root, 'b'))
  expect(spawnSync('mkfifo', [join(root, 'b', '.ruletoken')]).status).toBe(0)
  expect(ensureRuleToken(join(root, 'b'))).toBeUndefined()
})

test('processes that start at the same time get the same token', async () => {
  const build = await rolldown({ input: fileURLToPath(new URL('rule-token.ts', import.meta.url)), platform: 'node' })
  const bundle = join(root, 'rule-token.mjs')
  await build.write({ file: bundle, format: 'esm' })
  // All wait for the same input before they start.
  const code = `import { ensureRuleToken } from ${JSON.stringify(bundle)}
    process.stdin.once('data', () => { process.stdout.write(ensureRuleToken(${JSON.stringify(folder)}) ?? 'none'); process.exit() })
    process.stderr.write('ready')`
  const children = Array.from({ length: 6 }, () => spawn(process.execPath, ['--input-type=module', '-e', code]))
  const outputs = children.map(({ stdout }) => text(stdout))
  await Promise.all(children.map((child) => Promise.race([once(child.stderr, 'data'), once(child, 'close')])))
  for (const child of children) child.stdin.write('go')
  const tokens = new Set(await Promise.all(outputs))
  expect([...tokens]).toEqual([readFileSync(path, 'utf8').trim()])
  expect(readdirSync(folder)).toEqual(['.ruletoken'])
})
