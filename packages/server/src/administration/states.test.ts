import { expect, test } from 'vitest'
import { PROBLEMS } from '../problem.js'
import { REPLACEMENT_TABLE, type ReplacementState, replacementStateAt } from './states.js'

const STATES = Object.keys(REPLACEMENT_TABLE) as ReplacementState[]

test('a switch is allowed only after a test that has passed', () => {
  for (const state of STATES) {
    const outcome = REPLACEMENT_TABLE[state].switch
    expect({ state, outcome }).toEqual({
      state,
      outcome: state === 'passed' ? { next: 'none' } : { problem: 'connection_untested' },
    })
  }
})

test('a sign-in passes or fails only while a test is running', () => {
  for (const state of STATES) {
    const { pass, fail } = REPLACEMENT_TABLE[state]
    expect({ state, may: 'next' in pass, mayNot: 'next' in fail }).toEqual({
      state,
      may: state === 'testing',
      mayNot: state === 'testing',
    })
  }
})

test('every event leads to a state of the table or to a known problem', () => {
  for (const events of Object.values(REPLACEMENT_TABLE)) {
    for (const outcome of Object.values(events)) {
      expect('next' in outcome ? STATES : Object.keys(PROBLEMS)).toContain(
        'next' in outcome ? outcome.next : outcome.problem,
      )
    }
  }
})

test('an expired replacement does not exist, and an expired test has failed', () => {
  const at = (time: string) => new Date(`2030-01-01T${time}Z`)
  const times = { expiresAt: at('20:00:00'), testExpiresAt: at('12:15:00') }
  expect(replacementStateAt(undefined, at('12:00:00'))).toBe('none')
  expect(replacementStateAt({ status: 'testing', ...times }, at('12:14:59'))).toBe('testing')
  expect(replacementStateAt({ status: 'testing', ...times }, at('12:15:00'))).toBe('failed')
  expect(replacementStateAt({ status: 'passed', ...times, testExpiresAt: undefined }, at('19:59:59'))).toBe('passed')
  expect(replacementStateAt({ status: 'passed', ...times, testExpiresAt: undefined }, at('20:00:00'))).toBe('none')
})
