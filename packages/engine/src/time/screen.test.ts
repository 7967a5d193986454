import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { EXAMPLE_NOW, FORMATS, programOf, RANK } from './formats.js'
import { runTime } from './run.js'
import { readsDate, screenOf, TRAIT, traitsOf } from './screen.js'
import { utcClock, yearLimit } from './wall-clock.js'

const encoder = new TextEncoder()
const clock = utcClock(yearLimit(EXAMPLE_NOW))
const withTime = FORMATS.filter((row) => row.text !== 'docker')

const traits = (text: string) => traitsOf(encoder.encode(text), 0, encoder.encode(text).length)

describe('the traits of a line', () => {
  it.each([
    ['at a.b.C.d(C.java:12)', 0],
    ['10:2', TRAIT.clock],
    [':1 1: a:1', 0],
    ['12345', 0],
    ['a123456', TRAIT.digits],
    ['12:34:56 123456', TRAIT.clock | TRAIT.digits],
    ['', 0],
  ])('of %j are %d', (text, expected) => {
    expect(traits(text)).toBe(expected)
  })
})

describe('the screen of a format', () => {
  it.each(withTime.map((row) => [row.name, row] as const))('lets the example of %s pass', (_, row) => {
    const screen = screenOf(programOf(row))
    expect(screen === 0 || (traits(row.example) & screen) !== 0).toBe(true)
  })

  it('lets every line pass in which the format finds a time', () => {
    const line = fc.constantFrom(...withTime).chain((row) => {
      const byte = fc.constantFrom('0', '9', '3', ':', '-', '.', ' ', 'Z', '', '1:', ':1')
      const changes = fc.array(fc.tuple(fc.nat(row.example.length), byte), { maxLength: 4 })
      const text = changes.map((all) =>
        all.reduce((before, [at, to]) => before.slice(0, at) + to + before.slice(at + 1), row.example),
      )
      return fc.tuple(fc.constant(row), text)
    })
    fc.assert(
      fc.property(line, ([row, text]) => {
        const bytes = encoder.encode(text)
        const found = { seconds: 0, nanos: 0, start: 0, end: 0 }
        const screen = screenOf(programOf(row))
        if (screen === 0 || !runTime(programOf(row), bytes, 0, bytes.length, clock, found)) return
        expect(traits(text) & screen).not.toBe(0)
      }),
      { numRuns: 3000 },
    )
  })

  it('is missing only for formats with dots in their time of day', () => {
    const unscreened = withTime.filter((row) => row.rank > RANK.weak && screenOf(programOf(row)) === 0)
    expect(unscreened.map(({ name }) => name)).toEqual(['db2', 'oracle', 'unreal'])
  })
})

describe('a clock without a date', () => {
  it('is the time of these formats only', () => {
    const clocks = withTime.filter((row) => !readsDate(programOf(row))).map(({ name }) => name)
    expect(clocks).toEqual(['clock', 'clock-am-pm', 'clock-after-letter', 'clock-minutes', 'clock-after-words'])
  })
})
