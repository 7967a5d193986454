import { describe, expect, it } from 'vitest'
import type { Screen } from './screen.js'
import { describeNothingFound, describeProblem } from './summary.js'

const FIRST = 1_772_366_401_000_000_000n
const pipe: Screen = { isTerminal: false, colours: false, columns: 80, write: () => {} }
const terminal: Screen = { ...pipe, isTerminal: true }
const problem = {
  cre: { id: 'CRE-2026-0001', severity: 0, title: 'Broker is out of disk space' },
  detections: 3,
  first: FIRST,
}

describe('a problem', () => {
  it('is one line in a pipe', () => {
    expect(describeProblem(problem, pipe, () => 0)).toEqual(['CRE-2026-0001 critical [3 hits @ 2026-03-01T12:00:01Z]'])
  })

  it('is shown in the local time zone', () => {
    expect(describeProblem(problem, pipe, () => 330)[0]).toContain('@ 2026-03-01T17:30:01+05:30]')
  })

  it('has its title and the command that explains it below on a terminal', () => {
    expect(describeProblem(problem, terminal, () => 0)).toEqual([
      'CRE-2026-0001 critical [3 hits @ 2026-03-01T12:00:01Z]',
      '  Broker is out of disk space · omen explain CRE-2026-0001',
    ])
  })

  it('has a shortened title, but the whole command, on a narrow terminal', () => {
    const lines = describeProblem(problem, { ...terminal, columns: 50 }, () => 0)
    expect(lines[1]).toBe('  Broker is out of d… · omen explain CRE-2026-0001')
    expect(describeProblem(problem, { ...terminal, columns: 30 }, () => 0)[1]).toBe('  omen explain CRE-2026-0001')
    expect(describeProblem(problem, { ...terminal, columns: 20 }, () => 0)[1]).toBe('  omen explain CRE-…')
  })

  it('is shown without a title or a severity', () => {
    expect(describeProblem({ ...problem, cre: { id: 'MINE-1' } }, terminal, () => 0)).toEqual([
      'MINE-1 critical [3 hits @ 2026-03-01T12:00:01Z]',
      '  omen explain MINE-1',
    ])
  })

  it.each([
    [0, '\u001b[1;31mcritical\u001b[22;39m'],
    [1, '\u001b[91mhigh\u001b[39m'],
    [2, '\u001b[33mmedium\u001b[39m'],
    [3, '\u001b[36mlow\u001b[39m'],
    [4, '\u001b[2minfo\u001b[22m'],
  ])('of severity %d has its colour', (severity, label) => {
    const cre = { id: 'X', severity }
    expect(describeProblem({ ...problem, cre }, { ...pipe, colours: true }, () => 0)[0]).toContain(` ${label} `)
  })

  it('cannot control the terminal with its title', () => {
    const cre = { id: 'X', title: 'a\u001b]0;owned\u0007\nb' }
    expect(describeProblem({ ...problem, cre }, terminal, () => 0)[1]).toBe('  a␛]0;owned␇␊b · omen explain X')
  })
})

it('a terminal shows in how many entries nothing was found', () => {
  expect(describeNothingFound(1998, terminal)).toBe('No known problems found in 1,998 entries.')
  expect(describeNothingFound(1, terminal)).toBe('No known problems found in 1 entry.')
})
