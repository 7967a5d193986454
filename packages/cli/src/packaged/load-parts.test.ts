import { describe, expect, it } from 'vitest'
import type { CodeCache } from './code-cache.js'
import { createPartLoader } from './load-parts.js'

/** A loader of parts that are given as the bodies of CommonJS modules, and the names of the files that it has asked for. */
function loaderOf(parts: Readonly<Record<string, string>>, cache?: CodeCache) {
  const asked: string[] = []
  const loader = createPartLoader({
    fileOf: (name) => name.replace(/^.*-in-/, ''),
    source(file) {
      asked.push(file)
      const inside = Object.entries(parts).filter(([name]) => name.replace(/^.*-in-/, '') === file)
      const functions = inside.map(
        ([name, body]) => `"${name}":(function(exports,require,module,__filename,__dirname){${body}})`,
      )
      return `({${functions.join()}})`
    },
    folder: '/opt/omen',
    cache,
  })
  return { ...loader, asked }
}

/** A cache in memory. */
function memory(): CodeCache & { readonly code: Map<string, Uint8Array> } {
  const code = new Map<string, Uint8Array>()
  return { code, read: (file) => code.get(file), keep: (file, bytes) => void code.set(file, bytes) }
}

/** A part that is worth caching. V8 remembers what it has compiled in this process, so each test has its own. */
const large = (note: string) => `exports.answer = 42; // ${note} ${' '.repeat(20_000)}\n`

describe('the loader of parts', () => {
  it('runs a part once and gives its exports', () => {
    const { load, asked } = loaderOf({
      'a.js': "exports.sum = require('./b.js').two + require('./b.js').two",
      'b.js': 'exports.two = 2',
    })
    expect(load('a.js')).toEqual({ sum: 4 })
    expect(load('b.js')).toEqual({ two: 2 })
    expect(asked).toEqual(['a.js', 'b.js'])
  })

  it('lets parts need each other', () => {
    const { load } = loaderOf({
      'a.js': "exports.name = 'a'; exports.other = require('./b.js').name",
      'b.js': "const a = require('./a.js'); exports.name = 'b' + a.name",
    })
    expect(load('a.js')).toEqual({ name: 'a', other: 'ba' })
  })

  it('reads a file with several parts once, and runs those that are asked for', () => {
    const { load, asked } = loaderOf({
      'a.js': "exports.sum = 1 + require('./b-in-a.js').two",
      'b-in-a.js': 'exports.two = 2',
      'c-in-a.js': "throw new Error('nobody asked for this')",
    })
    expect(load('a.js')).toEqual({ sum: 3 })
    expect(asked).toEqual(['a.js'])
  })

  it('says which part is missing', () => {
    expect(() => loaderOf({}).load('a.js')).toThrow('this installation of omen has no part a.js')
  })

  it('tells a part where the tool lies', () => {
    const { load } = loaderOf({ 'a.js': 'exports.places = [__dirname, __filename]' })
    expect(load('a.js')).toEqual({ places: ['/opt/omen', '/opt/omen/parts/a.js'] })
  })

  it('runs a part that is used seldom when something of it is used', () => {
    const { load, asked } = loaderOf({
      'a.js': "const jq = require('./jq.js'); exports.use = () => jq.answer",
      'jq.js': 'exports.answer = 42',
    })
    const { use } = load('a.js') as { use: () => number }
    expect(asked).toEqual(['a.js'])
    expect(use()).toBe(42)
    expect(asked).toEqual(['a.js', 'jq.js'])
  })

  it('gives the modules of Node.js, those that are functions too', () => {
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

  it('fails like Node.js for a module that this version does not have', () => {
    const { load } = loaderOf({ 'a.js': "try { require('node:none') } catch ({ code }) { exports.code = code }" })
    expect(load('a.js')).toEqual({ code: 'MODULE_NOT_FOUND' })
  })

  it('compiles a large part once and for all, and takes it from the cache the next time', () => {
    const cache = memory()
    const first = loaderOf({ 'a.js': large('kept'), 'b.js': '' }, cache)
    expect(first.load('a.js')).toEqual({ answer: 42 })
    first.load('b.js')
    first.keepCode()
    const kept = cache.code.get('a.js')
    expect(kept?.length).toBeGreaterThan(0)

    const second = loaderOf({ 'a.js': large('kept'), 'b.js': '' }, cache)
    expect(second.load('a.js')).toEqual({ answer: 42 })
    second.load('b.js')
    second.keepCode()
    expect(cache.code.get('a.js')).toBe(kept)
  })

  it('compiles anew what V8 does not take, and keeps that', () => {
    const cache = memory()
    cache.keep('a.js', Buffer.from('code of another version of V8'))
    const { load, keepCode } = loaderOf({ 'a.js': large('refused'), 'b.js': '' }, cache)
    expect(load('a.js')).toEqual({ answer: 42 })
    load('b.js')
    keepCode()
    expect(cache.code.get('a.js')?.length).toBeGreaterThan(100)
  })

  it('does not bother the cache with a small part', () => {
    const cache = memory()
    const { load, keepCode } = loaderOf({ 'a.js': 'exports.answer = 42', 'b.js': '' }, cache)
    load('a.js')
    load('b.js')
    keepCode()
    expect(cache.code.size).toBe(0)
  })

  it('writes nothing for a run that needs the first file alone', () => {
    const cache = memory()
    const { load, keepCode } = loaderOf({ 'a.js': large('alone') }, cache)
    load('a.js')
    keepCode()
    expect(cache.code.size).toBe(0)
  })
})
