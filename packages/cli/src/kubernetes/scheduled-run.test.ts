import { describe, expect, it } from 'vitest'
import { KUBECTL_OMEN } from '../command-line/plugin.js'
import { readCommandLine } from '../command-line/read-command-line.js'
import { asScheduled, scheduledRun } from './scheduled-run.js'

const DUE = new Date('2026-11-15T12:10:00Z')
const name = `omen-${DUE.getTime() / 60_000}`
const later = (seconds: number) => new Date(DUE.getTime() + seconds * 1000)

describe('the scheduled time of a run', () => {
  it.each([0, 7, 309, 3600])('is the same if the run starts %d seconds late', (seconds) => {
    expect(scheduledRun({ OMEN_JOB_NAME: name }, later(seconds))).toEqual(DUE)
  })

  it('is known if the clock of the node is slightly slow', () => {
    expect(scheduledRun({ OMEN_JOB_NAME: name }, later(-20))).toEqual(DUE)
  })

  it.each([
    ['outside of a cluster', undefined],
    ['where the label is missing', ''],
    ['in a run that was started by hand', 'omen-now'],
    ['in one named by a random suffix', 'omen-now-x7k2p'],
    ['where a number means another time', 'omen-20261115'],
    ['where a number means nothing', 'omen-12'],
  ])('is unknown %s', (_, text) => {
    expect(scheduledRun({ OMEN_JOB_NAME: text }, later(5))).toBeUndefined()
  })

  it('is unknown a day later, when an old job runs again', () => {
    expect(scheduledRun({ OMEN_JOB_NAME: name }, later(90_000))).toBeUndefined()
  })
})

describe('the time range of a scheduled run', () => {
  const due = new Date('2026-03-01T12:10:00Z')
  const read = async (...argv: string[]) => {
    const command = await readCommandLine(argv, { now: due, exists: () => false }, KUBECTL_OMEN)
    return asScheduled(command, due)
  }

  it('ends where the next one starts', async () => {
    const span = { since: 1772366400000000000n, until: 1772366999999999999n }
    expect(await read('deployment/web', '--since', '10m')).toMatchObject(span)
  })

  it.each([[['web']], [['web', '--since', '10m', '--follow']], [['explain', '10001']]])(
    'is not set for %j',
    async (argv) => {
      expect(await read(...argv)).not.toHaveProperty('until', expect.anything())
    },
  )

  it('is that of the command line if it has an end', async () => {
    expect(await read('web', '--since', '10m', '--until', 'now')).toMatchObject({ until: 1772367000000000000n })
  })
})
