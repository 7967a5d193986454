import { describe, expect, test } from 'vitest'
import { readStat, treeMemory, treeOf } from './process-tree.js'

describe('the processes that a process started', () => {
  const processes = [
    { pid: 10, parent: 1, session: 10 },
    { pid: 11, parent: 10, session: 10 },
    { pid: 12, parent: 11, session: 12 },
    { pid: 13, parent: 1, session: 10 },
    { pid: 20, parent: 1, session: 20 },
  ]

  test('are all found, also those in another session and those whose parent has ended', () => {
    expect([...treeOf(10, processes)].sort()).toEqual([10, 11, 12, 13])
  })

  test('are only itself when it started none', () => {
    expect(treeOf(20, processes)).toEqual([20])
  })
})

test('a name may contain spaces, parentheses and line breaks', () => {
  expect(readStat('12 (a) S 9 9 9\n) R 3 12 7 0 -1 4194304')).toEqual({ pid: 12, parent: 3, session: 7 })
})

test('a running process has memory, one that does not exist has none', () => {
  expect(treeMemory(process.pid)).toBeGreaterThan(10e6)
  expect(treeMemory(2 ** 30)).toBe(0)
})
