import { describe, expect, it } from 'vitest'
import { openScreen } from './screen.js'

const terminal = { isTTY: true, columns: 120, rows: 40, write: () => true }
const pipe = { write: () => true }

describe('colours', () => {
  it.each([
    ['a terminal has them', terminal, {}, true],
    ['a pipe has none', pipe, {}, false],
    ['NO_COLOR turns them off', terminal, { NO_COLOR: '1' }, false],
    ['an empty NO_COLOR does not', terminal, { NO_COLOR: '' }, true],
    ['TERM=dumb has none', terminal, { TERM: 'dumb' }, false],
    ['FORCE_COLOR forces them into a pipe', pipe, { FORCE_COLOR: '1' }, true],
    ['FORCE_COLOR takes precedence over NO_COLOR', pipe, { FORCE_COLOR: '1', NO_COLOR: '1' }, true],
    ['FORCE_COLOR takes precedence over TERM=dumb', terminal, { FORCE_COLOR: '1', TERM: 'dumb' }, true],
    ['FORCE_COLOR=0 turns them off', terminal, { FORCE_COLOR: '0' }, false],
    ['FORCE_COLOR=false turns them off', terminal, { FORCE_COLOR: 'false' }, false],
    ['an empty FORCE_COLOR has no effect', pipe, { FORCE_COLOR: '' }, false],
  ])('%s', (_, stream, env, expected) => {
    expect(openScreen(stream, env).colours).toBe(expected)
  })
})

describe('live lines', () => {
  it.each([
    ['a terminal has them', terminal, {}, true],
    ['a terminal of a CI job has them', terminal, { CI: 'true' }, true],
    ['they do not depend on colours', terminal, { NO_COLOR: '1' }, true],
    ['TERM=dumb has none', terminal, { TERM: 'dumb' }, false],
    ['a pipe has none, even with colours', pipe, { FORCE_COLOR: '1' }, false],
  ])('%s', (_, stream, env, expected) => {
    expect(openScreen(stream, env).isTerminal).toBe(expected)
  })
})

describe('columns', () => {
  it.each([
    ['the width of the stream takes precedence', terminal, { COLUMNS: '60' }, 120],
    ['COLUMNS is used if the stream has no width', pipe, { COLUMNS: '60' }, 60],
    ['80 is the default', pipe, {}, 80],
    ['80 is used for a terminal without a size', { ...terminal, columns: 0 }, {}, 80],
    ['COLUMNS is ignored if it is not a number', pipe, { COLUMNS: '1e9' }, 80],
    ['COLUMNS=0 is ignored', pipe, { COLUMNS: '0' }, 80],
    ['a very large COLUMNS is limited', pipe, { COLUMNS: '999999999' }, 10_000],
  ])('%s', (_, stream, env, expected) => {
    expect(openScreen(stream, env).columns).toBe(expected)
  })

  it('change when the window is resized', () => {
    const stream = { isTTY: true, columns: 100, rows: 30, write: () => true }
    const screen = openScreen(stream, {})
    stream.columns = 40
    stream.rows = 10
    expect([screen.columns, screen.rows]).toEqual([40, 10])
  })
})
