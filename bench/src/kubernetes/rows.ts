import { atMost, type Goal } from '../verdict.js'
import { type ClusterRun, readCluster } from './measure.js'
import type { KubernetesOptions } from './options.js'

/** A line of the table. */
export interface KubernetesResult {
  readonly row: string
  readonly work: string
  readonly run: ClusterRun
  readonly measured: number
  readonly goal: Goal
}

export interface KubernetesRow {
  readonly name: string
  readonly about: string
  run(plugin: string, options: KubernetesOptions): AsyncGenerator<KubernetesResult>
}

const MEMORY: Goal = { kind: 'at most', value: 300, unit: 'MiB' }
const CONNECTIONS: Goal = { kind: 'at most', value: 20, unit: 'connections' }
/** Ten times the containers: their names, and what each one's report line needs. */
const GROWTH = atMost(1.5)
const HELD_UP = atMost(1.25)

const MEBIBYTE = 2 ** 20

/** All containers, and a tenth of them. */
const scale: KubernetesRow = {
  name: 'scale',
  about: 'peak memory and connections while all containers are read, and beside a tenth of them',
  async *run(plugin, { containers, size }) {
    const all = await readCluster(plugin, { containers, size, slow: false })
    yield { row: 'scale', work: 'memory', run: all, measured: all.peak / MEBIBYTE, goal: MEMORY }
    yield { row: 'scale', work: 'connections', run: all, measured: all.connections, goal: CONNECTIONS }
    const tenth = await readCluster(plugin, { containers: Math.ceil(containers / 10), size, slow: false })
    yield {
      row: 'scale',
      work: 'memory, beside a tenth of the containers',
      run: tenth,
      measured: all.peak / tenth.peak,
      goal: GROWTH,
    }
  },
}

/** A pod whose log comes a line at a time. */
const slow: KubernetesRow = {
  name: 'slow',
  about: 'how long all other logs take beside a pod that is slow, to how long they take without it',
  async *run(plugin, options) {
    // A tenth is enough to see: whoever waits for the slow one waits for it whatever their number.
    const plan = { containers: Math.ceil(options.containers / 10), size: options.size }
    const alone = await readCluster(plugin, { ...plan, slow: false })
    const beside = await readCluster(plugin, { ...plan, slow: true })
    yield {
      row: 'slow',
      work: 'all others beside a slow pod, to without',
      run: beside,
      measured: beside.seconds / alone.seconds,
      goal: HELD_UP,
    }
  },
}

export const KUBERNETES_ROWS: readonly KubernetesRow[] = [scale, slow]
