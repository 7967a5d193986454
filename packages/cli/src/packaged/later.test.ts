import { describe, expect, it } from 'vitest'
import { later } from './later.js'

/** An object that counts how often it is made. */
function counted() {
  let times = 0
  const make = () => {
    times++
    return { word: 'hello', greet: (name: string) => `hello ${name}` }
  }
  return { object: later(make) as ReturnType<typeof make>, times: () => times }
}

describe('an object that is made later', () => {
  it('is made once, when something of it is used', () => {
    const { object, times } = counted()
    expect(times()).toBe(0)
    expect(object.word).toBe('hello')
    expect(object.greet('omen')).toBe('hello omen')
    expect(times()).toBe(1)
  })

  it('is not made by a promise that resolves to it', async () => {
    const { object, times } = counted()
    const resolved = await Promise.resolve(object)
    expect(times()).toBe(0)
    expect(resolved.word).toBe('hello')
  })

  it('can be looked through and taken apart like any other', () => {
    expect('word' in counted().object).toBe(true)
    expect('other' in counted().object).toBe(false)
    expect(Object.keys(counted().object)).toEqual(['word', 'greet'])
    expect({ ...counted().object }.word).toBe('hello')
    const { basename } = later(() => process.getBuiltinModule('node:path')) as typeof import('node:path')
    expect(basename('/var/log/app.log')).toBe('app.log')
  })

  it('throws what its making throws, every time', () => {
    const broken = later(() => {
      throw new Error('gone')
    }) as { word: string }
    expect(() => broken.word).toThrow('gone')
    expect(() => broken.word).toThrow('gone')
  })
})
