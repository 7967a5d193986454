import { describe, expect, it } from 'vitest'
import type { CodeCache } from './code-cache.js'
import { createPartLoader, lazyObject } from './load-parts.js'

/** A loader of parts, given as the bodies of CommonJS modules, and the names of the files that it has read. */
function loaderOf(parts: Readonly<Record<string, string>>, cache?: CodeCache) {
  const filesRead: string[] = []
  const loader = createPartLoader({
    fileOf: (name) => name.replace(/^.*-in-/, ''),
    source(file) {
      filesRead.push(file)
      const inside = Object.entries(parts).filter(([name]) => name.replace(/^.*-in-/, '') === file)
      const functions = inside.map(
        ([name, body]) => `"${name}":(function(exports,require,module,__filename,__dirname){${body}})`,
      )
      return `({${functions.join()}})`
    },
    folder: '/opt/omen',
    cache,
  })
  return { ...loader, filesRead }
}

function memoryCache(): CodeCache & { readonly code: Map<string, Uint8Array> } {
  const code = new Map<string, Uint8Array>()
  return { code, read: (file) => code.get(file), write: (file, bytes) => void code.set(file, bytes) }
}

/** A part that is large enough to be cached. V8 remembers what this process has compiled, so each test has another source. */
const large = (note: string) => `exports.value = 42; // ${note} ${' '.repeat(20_000)}\n`

describe('the loader of parts', () => {
  it('runs a part once and returns its exports', () => {
    const { load, filesRead } = loaderOf({
      'a.js': "exports.sum = require('./b.js').two + require('./b.js').two",
      'b.js': 'exports.two = 2',
    })
    expect(load('a.js')).toEqual({ sum: 4 })
    expect(load('b.js')).toEqual({ two: 2 })
    expect(filesRead).toEqual(['a.js', 'b.js'])
  })

  it('lets parts require each other', () => {
    const { load } = loaderOf({
      'a.js': "exports.name = 'a'; exports.other = require('./b.js').name",
      'b.js': "const a = require('./a.js'); exports.name = 'b' + a.name",
    })
    expect(load('a.js')).toEqual({ name: 'a', other: 'ba' })
  })

  it('reads a file with several parts once, and runs only the required parts', () => {
    const { load, filesRead } = loaderOf({
      'a.js': "exports.sum = 1 + require('./b-in-a.js').two",
      'b-in-a.js': 'exports.two = 2',
      'c-in-a.js': "throw new Error('not required')",
    })
    expect(load('a.js')).toEqual({ sum: 3 })
    expect(filesRead).toEqual(['a.js'])
  })

  it('names the missing part', () => {
    expect(() => loaderOf({}).load('a.js')).toThrow('this installation of omen has no part a.js')
  })

  it('gives a part the folder of the tool', () => {
    const { load } = loaderOf({ 'a.js': 'exports.paths = [__dirname, __filename]' })
    expect(load('a.js')).toEqual({ paths: ['/opt/omen', '/opt/omen/parts/a.js'] })
  })

  it('runs a lazy part when one of its exports is used', () => {
    const { load, filesRead } = loaderOf({
      'a.js': "const jq = require('./jq.js'); exports.use = () => jq.value",
      'jq.js': 'exports.value = 42',
    })
    const { use } = load('a.js') as { use: () => number }
    expect(filesRead).toEqual(['a.js'])
    expect(use()).toBe(42)
    expect(filesRead).toEqual(['a.js', 'jq.js'])
  })

  it('provides the modules of Node.js, also those that are functions', () => {
    const { load } = loaderOf({
      'a.js': `
        exports.name = require('node:path').basename('/a/b')
        exports.system = require('node:os').EOL
        exports.checked = require('node:assert')(true)
        exports.made = new (require('stream'))() instanceof require('node:stream')
      `,
    })
    expect(load('a.js')).toEqual({ name: 'b', system: '\n', checked: undefined, made: true })
  })

  it('throws like Node.js for a module that this version does not have', () => {
    const { load } = loaderOf({ 'a.js': "try { require('node:none') } catch ({ code }) { exports.code = code }" })
    expect(load('a.js')).toEqual({ code: 'MODULE_NOT_FOUND' })
  })

  it('stores the compiled code of a large part, and reads it the next time', () => {
    const cache = memoryCache()
    const first = loaderOf({ 'a.js': large('stored'), 'b.js': '' }, cache)
    expect(first.load('a.js')).toEqual({ value: 42 })
    first.load('b.js')
    first.cacheCode()
    const stored = cache.code.get('a.js')
    expect(stored?.length).toBeGreaterThan(0)

    const second = loaderOf({ 'a.js': large('stored'), 'b.js': '' }, cache)
    expect(second.load('a.js')).toEqual({ value: 42 })
    second.load('b.js')
    second.cacheCode()
    expect(cache.code.get('a.js')).toBe(stored)
  })

  it('compiles again when V8 rejects the stored code, and replaces it', () => {
    const cache = memoryCache()
    cache.write('a.js', Buffer.from('code of another version of V8'))
    const { load, cacheCode } = loaderOf({ 'a.js': large('rejected'), 'b.js': '' }, cache)
    expect(load('a.js')).toEqual({ value: 42 })
    load('b.js')
    cacheCode()
    expect(cache.code.get('a.js')?.length).toBeGreaterThan(100)
  })

  it('does not cache a small part', () => {
    const cache = memoryCache()
    const { load, cacheCode } = loaderOf({ 'a.js': 'exports.value = 42', 'b.js': '' }, cache)
    load('a.js')
    load('b.js')
    cacheCode()
    expect(cache.code.size).toBe(0)
  })

  it('writes nothing for a run that loads one file', () => {
    const cache = memoryCache()
    const { load, cacheCode } = loaderOf({ 'a.js': large('alone') }, cache)
    load('a.js')
    cacheCode()
    expect(cache.code.size).toBe(0)
  })
})

/** A lazy object, and how often it was created. */
function counted() {
  let times = 0
  const make = () => {
    times++
    return { word: 'hello', greet: (name: string) => `hello ${name}` }
  }
  return { object: lazyObject(make) as ReturnType<typeof make>, times: () => times }
}

describe('a lazy object', () => {
  it('is created once, when one of its properties is used', () => {
    const { object, times } = counted()
    expect(times()).toBe(0)
    expect(object.word).toBe('hello')
    expect(object.greet('omen')).toBe('hello omen')
    expect(times()).toBe(1)
  })

  it('is not created by a promise that resolves to it', async () => {
    const { object, times } = counted()
    const resolved = await Promise.resolve(object)
    expect(times()).toBe(0)
    expect(resolved.word).toBe('hello')
  })

  it('can be enumerated, spread and destructured', () => {
    expect('word' in counted().object).toBe(true)
    expect('other' in counted().object).toBe(false)
    expect(Object.keys(counted().object)).toEqual(['word', 'greet'])
    expect({ ...counted().object }.word).toBe('hello')
    const { basename } = lazyObject(() => process.getBuiltinModule('node:path')) as typeof import('node:path')
    expect(basename('/var/log/app.log')).toBe('app.log')
  })

  it('throws the error of its creation on every use', () => {
    const broken = lazyObject(() => {
      throw new Error('gone')
    }) as { word: string }
    expect(() => broken.word).toThrow('gone')
    expect(() => broken.word).toThrow('gone')
  })
})
