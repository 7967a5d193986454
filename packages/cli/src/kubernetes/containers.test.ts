import { describe, expect, it } from 'vitest'
import { pod } from '../../test/cluster/objects.js'
import { sourcesOf } from './containers.js'
import { readPod } from './pod.js'

const SELECTION = {
  containers: [],
  previous: false,
  awaits: false,
  isKnown: () => false,
  isTaken: () => false,
  types: new Map(),
  window: undefined,
  zone: undefined,
  stageOf: () => 'pods',
}

const ENDED = { terminated: { exitCode: 1, reason: 'Error', containerID: 'containerd://1' } }

/** A pod with one container in this state. */
function podIn(state: object, lastState: object, restartCount: number) {
  const draft = pod('web', { namespace: 'shop' })
  const status = { name: 'app', image: 'app:1', restartCount, state, lastState }
  return readPod({ ...draft, status: { phase: 'Running', containerStatuses: [status] } })!
}

function logsOf(state: object, lastState: object, restarts: number, selection: Partial<typeof SELECTION> = {}) {
  const { sources, places, waiting } = sourcesOf([podIn(state, lastState, restarts)], { ...SELECTION, ...selection })
  const logs = sources.flatMap(({ files }) =>
    files.map(({ path }) => (places.get(path)!.previous ? 'last' : 'current')),
  )
  return { logs, waiting: waiting.map(({ reason }) => reason) }
}

const RUNNING = { running: { startedAt: '2026-03-01T12:00:00Z' } }
const BACKING_OFF = { waiting: { reason: 'CrashLoopBackOff' } }

describe('the logs of a container', () => {
  it.each([
    ['that runs for the first time', RUNNING, {}, 0, ['current']],
    ['that was restarted', RUNNING, ENDED, 2, ['last', 'current']],
    ['that was restarted so long ago that its last run is unknown', RUNNING, {}, 2, ['last', 'current']],
    ['that has ended after a restart', ENDED, ENDED, 1, ['last', 'current']],
    ['that waits to be restarted', BACKING_OFF, ENDED, 4, ['last']],
    ['that waits for its first restart', BACKING_OFF, ENDED, 0, ['last']],
  ])('%s are read once each', (_, state, lastState, restarts, logs) => {
    expect(logsOf(state, lastState, restarts)).toEqual({ logs, waiting: [] })
  })

  it('that waits to be restarted are followed from its last run', () => {
    expect(logsOf(BACKING_OFF, ENDED, 4, { awaits: true })).toEqual({ logs: ['current'], waiting: [] })
    expect(logsOf(RUNNING, ENDED, 4, { awaits: true })).toEqual({ logs: ['last', 'current'], waiting: [] })
  })

  it('that has not started are not there yet', () => {
    const creating = { waiting: { reason: 'ContainerCreating' } }
    expect(logsOf(creating, {}, 0)).toEqual({ logs: [], waiting: ['ContainerCreating'] })
  })
})
