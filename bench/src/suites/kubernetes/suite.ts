import { execFileSync } from 'node:child_process'
import { countFlag, type Options, showSize, sizeFlag } from '../../harness/options.js'
import type { Row, Suite } from '../../harness/suite.js'
import { showMemory, showSpeed, verdictColumns } from '../../harness/table.js'
import { atMost, type Goal, type Verdict } from '../../harness/verdict.js'
import { type ClusterRun, readCluster } from './measure.js'
import { findPlugin } from './subject.js'

/** With fewer containers a tenth of them would be none, and all could be read at once. */
const FEWEST = 40

const FLAGS = {
  containers: countFlag(2000, 'how many containers the cluster has', FEWEST),
  size: sizeFlag('50MB', 'the size of each log'),
}

interface Stage {
  readonly plugin: string
  readonly options: Options<typeof FLAGS>
}

/** A line of the table. */
interface Result extends Verdict {
  readonly row: string
  readonly work: string
  readonly run: ClusterRun
}

const MEMORY: Goal = { kind: 'at most', value: 300, unit: 'MiB' }
const CONNECTIONS: Goal = { kind: 'at most', value: 20, unit: 'connections' }
/** For ten times the containers: their names, and the state of each one's report line. */
const GROWTH = atMost(1.5)
const DELAY = atMost(1.25)

const MEBIBYTE = 2 ** 20

const scaleRow: Row<Stage, Result> = {
  name: 'scale',
  about: 'peak memory and connections while all containers are read, and compared with a tenth of them',
  async *run({ plugin, options: { containers, size } }) {
    const all = await readCluster(plugin, { containers, size, slow: false })
    yield { row: 'scale', work: 'memory', run: all, measured: all.peak / MEBIBYTE, goal: MEMORY }
    yield { row: 'scale', work: 'connections', run: all, measured: all.connections, goal: CONNECTIONS }
    const tenth = await readCluster(plugin, { containers: Math.ceil(containers / 10), size, slow: false })
    const work = 'memory, to that with a tenth of the containers'
    yield { row: 'scale', work, run: tenth, measured: all.peak / tenth.peak, goal: GROWTH }
  },
}

const slowRow: Row<Stage, Result> = {
  name: 'slow',
  about: 'the time for all other logs with a slow pod, to the time without it',
  async *run({ plugin, options }) {
    // A tenth is enough: a reader that waits for the slow pod waits whatever the number of the others.
    const plan = { containers: Math.ceil(options.containers / 10), size: options.size }
    const alone = await readCluster(plugin, { ...plan, slow: false })
    const beside = await readCluster(plugin, { ...plan, slow: true })
    const work = 'all other logs with a slow pod, to without'
    yield { row: 'slow', work, run: beside, measured: beside.seconds / alone.seconds, goal: DELAY }
  },
}

/** The benchmark of `kubectl omen`. */
export const kubernetesSuite: Suite<typeof FLAGS, Stage, Result> = {
  command: 'bench:kubernetes',
  flags: FLAGS,
  rows: [scaleRow, slowRow],
  columns: [
    { heading: 'row', width: 6, cell: ({ row }) => row },
    { heading: 'work', width: 48, cell: ({ work }) => work },
    { heading: 'logs', width: 6, isNumber: true, cell: ({ run }) => String(run.finished) },
    { heading: 'read', width: 10, isNumber: true, cell: ({ run }) => `${Math.floor(run.bytes / 1e6)} MB` },
    {
      heading: 'in',
      width: 9,
      isNumber: true,
      cell: ({ run }) => `${(Math.ceil(run.elapsed * 10) / 10).toFixed(1)} s`,
    },
    { heading: 'MB/s', width: 6, isNumber: true, cell: ({ run }) => showSpeed(run.bytes, run.elapsed) },
    { heading: 'peak', width: 9, isNumber: true, cell: ({ run }) => showMemory(run.peak) },
    { heading: 'connections', width: 11, isNumber: true, cell: ({ run }) => String(run.connections) },
    ...verdictColumns<Result>('measured', [15, 22, 11], (result) => result),
  ],
  verdictsOf: (result) => [result],
  async open({ options }) {
    const client = execFileSync('kubectl', ['version', '--client'], { encoding: 'utf8' })
    return {
      stage: { plugin: findPlugin(options.subject), options },
      versions: { kubectl: /v\d+\.\d+\.\d+/.exec(client)?.[0] ?? 'unknown' },
      method: `${options.containers} containers with ${showSize(options.size)} each`,
    }
  },
}
