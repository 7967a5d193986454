import { expect, test } from 'vitest'
import { readServerOptions } from './options.js'

const ROWS = ['validate', 'repeat', 'memory']

test('without flags everything is measured, in turns of a second', () => {
  const { only, seconds, connections, runs, json } = readServerOptions([], ROWS)
  expect({ only, seconds, connections, runs, json }).toEqual({
    only: [],
    seconds: 1,
    connections: 20,
    runs: 31,
    json: false,
  })
})

test('rows are named one by one or together', () => {
  expect(readServerOptions(['--only', 'validate,memory', '--only', 'repeat'], ROWS).only).toEqual([
    'validate',
    'memory',
    'repeat',
  ])
})

test.each([
  [['--only', 'vaildate'], 'there is no row "vaildate"; the rows are validate, repeat, memory'],
  [['--seconds', '0'], '--seconds takes a number from 1, not "0"'],
  [['--connections', 'many'], '--connections takes a number from 1, not "many"'],
])('%j makes no sense, which is said', (args, message) => {
  expect(() => readServerOptions(args, ROWS)).toThrow(message)
})
