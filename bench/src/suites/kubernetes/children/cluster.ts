/** A cluster for one run: the stand-in of the tests, with logs that are made while they are read. Its plan is its argument. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { COLLECTORS } from '../../../generate/families.js'
import { generateLog } from '../../../generate/generate.js'
import { type ClusterPlan, type ClusterReady, type ClusterReport, NAMESPACE } from '../plan.js'
import { loadStandIn, type StandInLog } from '../stand-in.js'

const SEED = 7
/** Every log repeats this much: enough for the byte statistics of a real one, and made in a second. */
const TEXT = 16e6
/** A line of the slow pod comes this often, and it gives up after this long: a run that waits for it must end, too. */
const SLOW_STEP_MS = 100
const SLOW_LIMIT_MS = 120_000

const plan = JSON.parse(process.argv[2]!) as ClusterPlan
const text = [...generateLog({ seed: SEED, size: Math.min(TEXT, plan.size), format: COLLECTORS.rfc3339 })].map(
  (chunk) => Buffer.from(chunk),
)
const seen = { bytes: 0, finished: 0, first: 0n, last: 0n }

/** A log of the planned size. It is finished when the reader has taken all of it. */
function* log(): Generator<Uint8Array> {
  if (seen.first === 0n) seen.first = process.hrtime.bigint()
  for (let left = plan.size, i = 0; left > 0; i++) {
    const chunk = text[i % text.length]!.subarray(0, left)
    yield chunk
    left -= chunk.length
    seen.bytes += chunk.length
  }
  seen.finished++
  seen.last = process.hrtime.bigint()
}

async function* slowLog(): AsyncGenerator<Uint8Array> {
  const end = Date.now() + SLOW_LIMIT_MS
  while (seen.finished < plan.containers && Date.now() < end) {
    yield Buffer.from(`${new Date().toISOString()} still here\n`)
    await wait(SLOW_STEP_MS)
  }
}

function report(connections: number): ClusterReport {
  const seconds = Number(seen.last - seen.first) / 1e9
  return { connections, bytes: seen.bytes, finished: seen.finished, seconds }
}

const folder = mkdtempSync(join(tmpdir(), 'omen-bench-'))
try {
  const { startCluster, pod } = await loadStandIn(folder)
  const names = Array.from({ length: plan.containers }, (_, i) => `worker-${String(i).padStart(5, '0')}`)
  // Its name is the first in any order.
  const all = plan.slow ? ['a-slow-one', ...names] : names
  const logs = Object.fromEntries(
    all.map((name): [string, StandInLog] => [
      `${NAMESPACE}/${name}/app`,
      { bytes: name === 'a-slow-one' ? slowLog : log },
    ]),
  )
  const objects = all.map((name) => pod(name, { namespace: NAMESPACE, labels: { app: 'worker' } }))
  const cluster = await startCluster({ objects, logs })
  process.once('message', async () => {
    process.send!(report(cluster.most.connections))
    await cluster.close()
    process.disconnect()
  })
  const ready: ClusterReady = { kubeconfig: cluster.kubeconfig({ namespace: NAMESPACE }) }
  process.send!(ready)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
