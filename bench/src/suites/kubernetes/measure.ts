import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ClusterPlan, ClusterReady, ClusterReport } from './plan.js'
import { treeMemory } from './process-tree.js'
import { type PluginRun, readEverything } from './subject.js'

const CLUSTER = fileURLToPath(new URL('./children/cluster.js', import.meta.url))

/** How often memory is added up: less often misses peaks, more often slows the run. */
const INTERVAL_MS = 25

/** A run over a whole cluster. */
export interface ClusterRun extends ClusterReport {
  /** From the start of the plugin to its exit. */
  readonly elapsed: number
  /** The most memory that the plugin and all it started held at once, in bytes. */
  readonly peak: number
}

/**
 * Starts a cluster, runs the plugin on it, and returns what both measured. Throws when a log was not read to its end.
 *
 * @example
 * await readCluster(findPlugin(), { containers: 2000, size: 50e6, slow: false })
 */
export async function readCluster(plugin: string, plan: ClusterPlan): Promise<ClusterRun> {
  const folder = mkdtempSync(join(tmpdir(), 'omen-bench-'))
  const cluster = fork(CLUSTER, [JSON.stringify(plan)])
  try {
    const { kubeconfig } = await replyOf<ClusterReady>(cluster)
    const path = join(folder, 'kubeconfig')
    writeFileSync(path, kubeconfig)
    const run = await watch(readEverything(plugin, path, folder))
    cluster.send('report')
    const report = await replyOf<ClusterReport>(cluster)
    if (report.finished !== plan.containers) {
      throw new Error(`${report.finished} of ${plan.containers} logs were read to their end`)
    }
    return { ...report, ...run }
  } finally {
    cluster.kill()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function replyOf<T>(child: ChildProcess): Promise<T> {
  const gone = once(child, 'exit').then(([status]) => {
    throw new Error(`the cluster ended with ${status}`)
  })
  gone.catch(() => {})
  const [message] = await Promise.race([once(child, 'message'), gone])
  return message as T
}

/** Runs the plugin in its own session, so that the processes it starts are found. */
async function watch({ program, args, env }: PluginRun): Promise<Pick<ClusterRun, 'elapsed' | 'peak'>> {
  const start = process.hrtime.bigint()
  const child = spawn(program, args, { env, stdio: ['ignore', 'ignore', 'pipe'], detached: true })
  let peak = 0
  let complaint = ''
  child.stderr.on('data', (data) => {
    complaint = `${complaint}${data}`.slice(0, 1000)
  })
  const timer = setInterval(() => {
    peak = Math.max(peak, treeMemory(child.pid!))
  }, INTERVAL_MS)
  try {
    const [status] = (await once(child, 'close')) as [number | null]
    if (status !== 0) throw new Error(`kubectl omen exited with ${status}: ${complaint.trim()}`)
    return { elapsed: Number(process.hrtime.bigint() - start) / 1e9, peak }
  } finally {
    clearInterval(timer)
  }
}
