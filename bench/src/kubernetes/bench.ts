import { execFileSync } from 'node:child_process'
import { cpus, loadavg } from 'node:os'
import { chosenRows, measureRows } from '../measure-rows.js'
import { showSize } from '../options.js'
import { isReached } from '../verdict.js'
import { readKubernetesOptions, USAGE } from './options.js'
import { KUBERNETES_ROWS } from './rows.js'
import { findPlugin } from './subject.js'
import { failedLine, heading, tableLine } from './table.js'

function machine() {
  const processors = cpus()
  const client = execFileSync('kubectl', ['version', '--client'], { encoding: 'utf8' })
  return {
    processor: processors[0]?.model ?? 'unknown',
    threads: processors.length,
    load: loadavg()[0]!.toFixed(1),
    node: process.version,
    kubectl: /v\d+\.\d+\.\d+/.exec(client)?.[0] ?? 'unknown',
  }
}

async function main(): Promise<number> {
  const options = readKubernetesOptions(
    process.argv.slice(2),
    KUBERNETES_ROWS.map(({ name }) => name),
  )
  if (options.help) {
    console.log(USAGE + KUBERNETES_ROWS.map(({ name, about }) => `\n  ${name.padEnd(10)}  ${about}`).join(''))
    return 0
  }
  const show = options.json ? () => {} : (text: string) => console.log(text)
  const plugin = findPlugin(options.subject)
  const about = machine()
  const { processor, threads, load, node, kubectl } = about
  show(`${processor}, ${threads} threads, load ${load}; Node ${node}, kubectl ${kubectl}`)
  show(`${options.containers} containers with ${showSize(options.size)} each\n\n${heading()}`)
  const rows = chosenRows(KUBERNETES_ROWS, options.only)
  const outcome = await measureRows(rows, (row) => row.run(plugin, options), { tableLine, failedLine }, show)
  const judged = outcome.results.map((result) => ({ ...result, reached: isReached(result.measured, result.goal) }))
  if (options.json) console.log(JSON.stringify({ machine: about, options, ...outcome, results: judged }, null, 2))
  else console.log(`\n${judged.filter(({ reached }) => reached).length} of ${judged.length} goals are reached`)
  return outcome.failures.length === 0 ? 0 : 1
}

try {
  process.exitCode = await main()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
