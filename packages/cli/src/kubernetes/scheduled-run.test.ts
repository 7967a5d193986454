import { describe, expect, it } from 'vitest'
import { scheduledRun } from './scheduled-run.js'

const DUE = new Date('2026-11-15T12:10:00Z')
const name = `omen-${DUE.getTime() / 60_000}`
const later = (seconds: number) => new Date(DUE.getTime() + seconds * 1000)

describe('the time for which a run was due', () => {
  it.each([0, 7, 309, 3600])('is the same when it starts %d seconds late', (seconds) => {
    expect(scheduledRun({ OMEN_JOB_NAME: name }, later(seconds))).toEqual(DUE)
  })

  it('is known where the clock of the node is a little behind', () => {
    expect(scheduledRun({ OMEN_JOB_NAME: name }, later(-20))).toEqual(DUE)
  })

  it.each([
    ['outside of a cluster', undefined],
    ['where the label is missing', ''],
    ['in a run that was started by hand', 'omen-now'],
    ['in one named by a random suffix', 'omen-now-x7k2p'],
    ['where a number means another time', 'omen-20261115'],
    ['where a number means nothing', 'omen-12'],
  ])('is not known %s', (_, text) => {
    expect(scheduledRun({ OMEN_JOB_NAME: text }, later(5))).toBeUndefined()
  })

  it('is not known a day later, when somebody runs an old job again', () => {
    expect(scheduledRun({ OMEN_JOB_NAME: name }, later(90_000))).toBeUndefined()
  })
})
