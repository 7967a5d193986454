import { describe, expect, it } from 'vitest'
import { foldRanges, invertRanges, setRanges, tidyRanges } from './charset.js'
import { casedCodes, caseForms, hasCase } from './fold.js'
import { findProperty, propertyRanges } from './unicode.js'

const escaped = (code: number): string => `\\u{${code.toString(16)}}`

describe('cases', () => {
  it('agree with the JavaScript engine', () => {
    for (const code of casedCodes()) {
      const forms = caseForms(code)
      expect(forms).toContain(code)
      const all = new RegExp(`^${escaped(code)}{${forms.length}}$`, 'iu')
      expect(all.test(String.fromCodePoint(...forms)), code.toString(16)).toBe(true)
    }
  })

  it('are symmetric', () => {
    expect(caseForms(0x6b)).toEqual(caseForms(0x212a))
    expect(caseForms(0x53)).toEqual(caseForms(0x17f))
    expect(caseForms(0x3c3)).toEqual(caseForms(0x3c2))
    expect(caseForms(0xe9)).toEqual([0xc9, 0xe9])
  })

  it('do not include the special cases of Turkish, nor characters without case', () => {
    for (const code of [0x130, 0x131, 0x31, 0x5b, 0x7b, 0x65e5, 0x1f600]) expect(hasCase(code)).toBe(false)
  })

  it('extend ranges', () => {
    expect(foldRanges([0x61, 0x63])).toEqual([0x41, 0x43, 0x61, 0x63])
    expect(foldRanges([0x4b, 0x4b])).toEqual([0x4b, 0x4b, 0x6b, 0x6b, 0x212a, 0x212a])
    expect(foldRanges([0x400, 0x40f])).toEqual([0x400, 0x40f, 0x450, 0x45f])
    expect(foldRanges([0, 0x10ffff])).toEqual([0, 0x10ffff])
  })
})

describe('ranges', () => {
  it('are joined where they overlap or touch', () => {
    expect(tidyRanges([5, 9, 1, 2, 3, 4, 8, 12, 20, 30, 22, 23])).toEqual([1, 12, 20, 30])
  })

  it('are inverted', () => {
    expect(invertRanges([])).toEqual([0, 0x10ffff])
    expect(invertRanges([0, 5, 10, 0x10ffff])).toEqual([6, 9])
    expect(invertRanges([0, 0x10ffff])).toEqual([])
  })
})

describe('properties', () => {
  it('are found by any spelling of their names', () => {
    for (const name of ['Lu', 'lu', 'Uppercase_Letter', 'uppercase letter', 'UPPERCASE-LETTER'])
      expect(findProperty(name)).toBe('Lu')
    expect(findProperty('Old_Italic')).toBe('Script=Old_Italic')
    for (const name of ['', 'Alphabetic', 'Script=Greek', 'constructor', 'L}', '^L'])
      expect(findProperty(name)).toBeUndefined()
  })

  it('give ranges', () => {
    expect(propertyRanges('ASCII')).toEqual([0, 0x7f])
    expect(propertyRanges('Any')).toEqual([0, 0x10ffff])
    expect(propertyRanges('Cs')).toEqual([0xd800, 0xdfff])
    expect(propertyRanges('Co')).toEqual([0xe000, 0xf8ff, 0xf0000, 0xffffd, 0x100000, 0x10fffd])
    expect(propertyRanges('Script=Braille')).toEqual([0x2800, 0x28ff])
  })

  it('are extended to other cases with fold', () => {
    const set = (fold: boolean) =>
      setRanges({ ranges: [], properties: [{ name: 'ASCII', negated: true, fold }], negated: true })
    expect(set(false)).toEqual([0, 0x7f])
    expect(set(true)).toEqual([0, 0x7f, 0x17f, 0x17f, 0x212a, 0x212a])
  })
})
