import { describe, expect, it } from 'vitest'
import { createLog, here, type Level } from './log.js'

const NOON = Date.UTC(2026, 2, 1, 12, 0, 1, 250)

function collect(level: Level | undefined, offset = 0) {
  const lines: string[] = []
  const log = createLog({ level, write: (line) => lines.push(line), clock: () => NOON, offset: () => offset })
  return { log, text: () => lines.join('') }
}

describe('a log line', () => {
  it('has a time, level, source position, message and fields', () => {
    const { log, text } = collect('debug')
    log.debug('load-rules.ts:23', 'rules compiled', { rules: 12, cached: false, took: 5n })
    expect(text()).toBe('2026-03-01T12:00:01.250Z DBG load-rules.ts:23 > rules compiled rules=12 cached=false took=5\n')
  })

  it.each([
    [330, '2026-03-01T17:30:01.250+05:30'],
    [-210, '2026-03-01T08:30:01.250-03:30'],
  ])('has an offset of %d minutes in its time', (offset, time) => {
    const { log, text } = collect('error', offset)
    log.error('a.ts:1', 'x')
    expect(text()).toBe(`${time} ERR a.ts:1 > x\n`)
  })

  it.each([
    ['app.log', 'app.log'],
    ['with spaces', '"with spaces"'],
    ['', '""'],
    ['say "hi"', '"say \\"hi\\""'],
    ['a=b', '"a=b"'],
    ['C:\\logs', '"C:\\\\logs"'],
    ['two\nlines', '"two\\nlines"'],
    ['\u001b[2J', '"\\u001b[2J"'],
    ['\u202ebackwards', '\ufffdbackwards'],
    ['größer', 'größer'],
  ])('writes the value %j as %s', (value, written) => {
    const { log, text } = collect('info')
    log.info('a.ts:1', 'x', { value })
    expect(text()).toContain(` > x value=${written}\n`)
  })

  it('leaves out undefined fields', () => {
    const { log, text } = collect('info')
    log.info('a.ts:1', 'x', { line: undefined, file: 'a' })
    expect(text()).toContain(' > x file=a\n')
  })

  it('is one line for any message', () => {
    const { log, text } = collect('info')
    log.info('a.ts:1', 'one\ntwo\u001b]0;owned\u0007')
    expect(text()).toContain(' > one␊two␛]0;owned␇\n')
  })
})

describe('a level', () => {
  it.each<[Level | undefined, string]>([
    [undefined, 'ERR'],
    ['error', 'ERR'],
    ['warn', 'ERR WRN'],
    ['info', 'ERR WRN INF'],
    ['debug', 'ERR WRN INF DBG'],
    ['trace', 'ERR WRN INF DBG TRC'],
  ])('%s shows %s', (level, shown) => {
    const { log, text } = collect(level)
    for (const name of ['error', 'warn', 'info', 'debug', 'trace'] as const) log[name]('a.ts:1', name)
    expect(
      text()
        .match(/[A-Z]{3}(?= a\.ts)/g)
        ?.join(' '),
    ).toBe(shown)
  })

  it('that is off does not compute the fields', () => {
    const { log } = collect('info')
    log.debug('a.ts:1', 'x', () => {
      throw new Error('worked out')
    })
    expect(() => log.info('a.ts:1', 'x', () => ({ a: 1 }))).not.toThrow()
  })
})

it('here() returns the file and line of its caller', () => {
  expect(here()).toBe('log.test.ts:86')
})
