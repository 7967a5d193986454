import { describe, expect, test } from 'vitest'
import {
  CODE_TABLE,
  type CodeTimes,
  codeStateAt,
  TRANSACTION_TABLE,
  tokenEnd,
  transactionEnd,
  transactionStateAt,
} from './states.js'

const code: CodeTimes = {
  expiresOn: '2030-01-10',
  isExchanged: false,
  completedAt: undefined,
  revokedAt: undefined,
}
const at = new Date('2030-01-05T00:00:00Z')

describe('a code', () => {
  test.each([
    ['2030-01-09T23:59:59.999Z', 'issued', 'exchanged'],
    ['2030-01-10T00:00:00.000Z', 'last_day', 'last_day'],
    ['2030-01-10T23:59:59.999Z', 'last_day', 'last_day'],
    ['2030-01-11T00:00:00.000Z', 'expired', 'expired'],
  ])('at %s is %s, or after an exchange %s', (time, before, after) => {
    expect(codeStateAt(code, new Date(time))).toBe(before)
    expect(codeStateAt({ ...code, isExchanged: true }, new Date(time))).toBe(after)
  })

  test.each(['2030-01-09T00:00:00Z', '2030-01-10T00:00:00Z', '2040-01-01T00:00:00Z'])(
    'that was revoked or completed stays so at %s',
    (time) => {
      expect(codeStateAt({ ...code, completedAt: at }, new Date(time))).toBe('completed')
      expect(codeStateAt({ ...code, completedAt: at, revokedAt: at }, new Date(time))).toBe('revoked')
    },
  )

  test('expires at the end of its day across leap days and years', () => {
    expect(tokenEnd('2028-02-28').toISOString()).toBe('2028-02-29T00:00:00.000Z')
    expect(tokenEnd('2029-12-31').toISOString()).toBe('2030-01-01T00:00:00.000Z')
  })
})

describe('a transaction', () => {
  test('expires 48 hours after it was opened, in any season', () => {
    expect(transactionEnd(new Date('2030-03-30T12:00:00Z')).toISOString()).toBe('2030-04-01T12:00:00.000Z')
    const open = { state: 'open', expiresAt: at } as const
    expect(transactionStateAt(open, new Date(at.getTime() - 1))).toBe('open')
    expect(transactionStateAt(open, at)).toBe('expired')
  })

  test.each(['completed', 'superseded'] as const)('that is %s no longer expires', (state) => {
    expect(transactionStateAt({ state, expiresAt: at }, new Date('2040-01-01'))).toBe(state)
  })
})

test('no event leads out of a final state', () => {
  const leavesOf = (states: Record<string, Record<string, object>>, state: string) =>
    Object.values(states[state]!).flatMap((outcome) =>
      'next' in outcome && outcome.next !== state ? [outcome.next] : [],
    )
  expect(leavesOf(CODE_TABLE, 'completed')).toEqual([])
  expect(leavesOf(CODE_TABLE, 'revoked')).toEqual([])
  expect(leavesOf(CODE_TABLE, 'expired')).toEqual(['revoked'])
  expect(leavesOf(TRANSACTION_TABLE, 'completed')).toEqual([])
  expect(leavesOf(TRANSACTION_TABLE, 'superseded')).toEqual([])
})
