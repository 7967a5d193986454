import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openCodeCache } from './code-cache.js'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'omen-test-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const CODE = Buffer.from('compiled code of a part')

/** The path of the only file in the cache. */
function onlyFile(): string {
  const [home] = readdirSync(folder)
  return join(folder, home!, 'run.js')
}

describe('the cache of compiled code', () => {
  it('returns the stored code, also to another process', () => {
    openCodeCache(folder, 'build').write('run.js', CODE)
    expect(openCodeCache(folder, 'build').read('run.js')).toEqual(CODE)
  })

  it('separates builds of the tool', () => {
    openCodeCache(folder, 'build').write('run.js', CODE)
    expect(openCodeCache(folder, 'other').read('run.js')).toBeUndefined()
    expect(openCodeCache(folder, 'build').read('other.js')).toBeUndefined()
  })

  it('is readable only by its owner, and leaves no temporary file', () => {
    openCodeCache(folder, 'build').write('run.js', CODE)
    expect(statSync(onlyFile()).mode & 0o777).toBe(0o600)
    expect(statSync(join(onlyFile(), '..')).mode & 0o777).toBe(0o700)
    expect(readdirSync(join(onlyFile(), '..'))).toEqual(['run.js'])
  })

  it('does not use a file that other users can write to', () => {
    const cache = openCodeCache(folder, 'build')
    cache.write('run.js', CODE)
    for (const mode of [0o620, 0o602, 0o666]) {
      chmodSync(onlyFile(), mode)
      expect(cache.read('run.js')).toBeUndefined()
    }
    chmodSync(onlyFile(), 0o644)
    expect(cache.read('run.js')).toEqual(CODE)
  })

  it('does not use a file that is damaged at any byte, truncated or too long', () => {
    const cache = openCodeCache(folder, 'build')
    cache.write('run.js', CODE)
    const whole = readFileSync(onlyFile())
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const damaged = Buffer.from(whole)
        damaged[at] = damaged[at]! ^ change
        writeFileSync(onlyFile(), damaged)
        expect(cache.read('run.js')).toBeUndefined()
      }),
    )
    for (let length = 0; length < whole.length; length++) {
      writeFileSync(onlyFile(), whole)
      truncateSync(onlyFile(), length)
      expect(cache.read('run.js')).toBeUndefined()
    }
    writeFileSync(onlyFile(), Buffer.concat([whole, Buffer.from('x')]))
    expect(cache.read('run.js')).toBeUndefined()
  })

  it('does nothing where its folder cannot be created', () => {
    const file = join(folder, 'a-file')
    writeFileSync(file, '')
    for (const folder of [join(file, 'cache'), '/proc/cache']) {
      const cache = openCodeCache(folder, 'build')
      cache.write('run.js', CODE)
      expect(cache.read('run.js')).toBeUndefined()
    }
  })

  it('ignores a folder with the name of its file', () => {
    const cache = openCodeCache(folder, 'build')
    cache.write('run.js', CODE)
    rmSync(onlyFile())
    mkdirSync(onlyFile())
    expect(cache.read('run.js')).toBeUndefined()
    cache.write('run.js', CODE)
    expect(cache.read('run.js')).toBeUndefined()
  })

  it('removes the folders of old versions, and nothing else', () => {
    const old = new Date(Date.now() - 40 * 24 * 60 * 60 * 1000)
    for (const name of ['code-old', 'code-new', 'rules']) mkdirSync(join(folder, name))
    for (const name of ['code-old', 'rules']) utimesSync(join(folder, name), old, old)
    openCodeCache(folder, 'build').write('run.js', CODE)
    expect(readdirSync(folder).filter((name) => !name.startsWith('code-build'))).toEqual(['code-new', 'rules'])
  })
})
