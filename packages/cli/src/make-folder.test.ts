import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { makeFolder } from './make-folder.js'

const home = mkdtempSync(join(tmpdir(), 'omen-folder-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))

it('creates a folder and its parents for the owner only, and accepts one that exists', () => {
  makeFolder(join(home, 'a/b/c'))
  makeFolder(join(home, 'a/b/c'))
  for (const path of ['a', 'a/b', 'a/b/c']) expect(statSync(join(home, path)).mode & 0o777).toBe(0o700)
})

it('throws where no folder can be created', () => {
  expect(() => makeFolder('/proc/nothing/deep')).toThrow()
  writeFileSync(join(home, 'file'), '')
  expect(() => makeFolder(join(home, 'file/below'))).toThrow()
  expect(existsSync(join(home, 'file/below'))).toBe(false)
})
