import { describe, expect, it } from 'vitest'
import type { FoundStat } from './file-stat.js'
import { startOfFile } from './read-position.js'
import { type Absence, actionFor, compareFinished, type Drain, describeAbsence, isDrained, stateOf } from './states.js'

const fileWith = (key: string): FoundStat => ({ kind: 'file', key, size: 10, modified: 1n, links: 1 })
const NONE = { position: undefined, successor: undefined, waitsFor: undefined }
const READING = { ...NONE, position: startOfFile('1:1', '/app.log') }
const DRAINING = { ...READING, successor: { position: startOfFile('1:2', '/app.log'), file: 7 } }
const FINISHED = { ...NONE, position: { ...startOfFile('1:1', '/app.log.gz'), isComplete: true } }

describe('the state of a followed name', () => {
  it.each([
    ['waiting', NONE],
    ['reading', READING],
    ['draining', DRAINING],
    ['finished', FINISHED],
    ['succeeding', { ...DRAINING, position: undefined }],
  ])('is %s', (state, fields) => {
    expect(stateOf(fields)).toBe(state)
  })

  it('determines the action for the file with that name', () => {
    expect(actionFor(NONE, undefined)).toBe('reportAbsence')
    expect(actionFor(NONE, fileWith('1:1'))).toBe('start')
    expect(actionFor(READING, fileWith('1:1'))).toBe('read')
    expect(actionFor(READING, fileWith('1:2'))).toBe('drain')
    expect(actionFor(READING, { kind: 'unreadable', error: new Error('no permission') })).toBe('readOpen')
    expect(actionFor(DRAINING, fileWith('1:1'))).toBe('read')
    expect(actionFor(FINISHED, fileWith('1:1'))).toBe('compare')
    expect(actionFor({ ...DRAINING, position: undefined }, undefined)).toBe('startSuccessor')
  })
})

describe('the old file during a rotation', () => {
  const drain: Drain = {
    successor: 'hasData',
    isSuccessorReplaced: false,
    isDeleted: false,
    once: false,
    sinceRead: 0,
    sinceSuccessorHasData: 0,
    sinceDeleted: 0,
  }

  it.each<[string, Partial<Drain>, boolean]>([
    ['is read when its successor has just received data', {}, false],
    ['is finished after a moment without new lines', { sinceRead: 200, sinceSuccessorHasData: 200 }, true],
    ['is read while lines are written to it', { sinceRead: 10, sinceSuccessorHasData: 9000 }, false],
    ['is not read forever', { sinceRead: 10, sinceSuccessorHasData: 10_000 }, true],
    ['is finished at once in a run that does not wait', { once: true }, true],
    ['is finished at once when a third file has the name', { isSuccessorReplaced: true }, true],
    ['is kept while its successor is empty', { successor: 'empty', sinceRead: 60_000 }, false],
    [
      'is closed some time after it was deleted',
      { successor: 'none', isDeleted: true, sinceRead: 5000, sinceDeleted: 5000 },
      true,
    ],
    [
      'is kept for a moment after it was deleted',
      { successor: 'none', isDeleted: true, sinceRead: 9000, sinceDeleted: 100 },
      false,
    ],
  ])('%s', (_, changed, expected) => {
    expect(isDrained({ ...drain, ...changed })).toBe(expected)
  })
})

describe('a finished file', () => {
  const position = { ...FINISHED.position, sealed: { size: 10, modified: 1n } }

  it('is replaced when its size or time differs from when it was read', () => {
    expect(compareFinished(position, undefined, { size: 10, modified: 1n })).toBe('unchanged')
    expect(compareFinished(position, undefined, { size: 10, modified: 2n })).toBe('replaced')
  })

  it('is read again when it was not text and has become smaller', () => {
    const before = { size: 10, modified: 1n }
    expect(compareFinished(FINISHED.position, before, { size: 20, modified: 2n })).toBe('unchanged')
    expect(compareFinished(FINISHED.position, before, { size: 5, modified: 2n })).toBe('emptied')
  })
})

describe('a missing file', () => {
  const absence: Absence = { once: false, isReading: false, hasExisted: true, isExpected: true, goneFor: 0 }

  it.each<[string, Partial<Absence>, string | undefined]>([
    ['is not reported for a moment, as in every rotation', {}, undefined],
    ['is reported after it has been missing for long', { goneFor: 15_000 }, 'gone: waiting for it to come back'],
    ['is not reported if no glob matches it any more', { goneFor: 15_000, isExpected: false }, undefined],
    ['is reported if it has never existed', { hasExisted: false }, 'does not exist yet: waiting for it'],
    ['is a problem in a run that does not wait', { once: true }, 'no such file'],
    ['is not a problem while its file is still being read', { once: true, isReading: true }, undefined],
  ])('%s', (_, changed, message) => {
    expect(describeAbsence(undefined, { ...absence, ...changed })?.message).toBe(message)
  })
})
