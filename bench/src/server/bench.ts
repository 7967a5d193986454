import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, loadavg, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { chosenRows, measureRows, type Outcome } from '../measure-rows.js'
import { isReached } from '../verdict.js'
import { readServerOptions, USAGE } from './options.js'
import type { ServerResult } from './result.js'
import { SERVER_ROWS } from './rows.js'
import { openStage, type Stage } from './stage.js'
import { findServer } from './subject.js'
import { failedLine, heading, tableLine } from './table.js'

const say = (text: string) => process.stderr.write(`… ${text}\n`)

function machine(stage: Stage) {
  const processors = cpus()
  return {
    processor: processors[0]?.model ?? 'unknown',
    threads: processors.length,
    memory: `${Math.round(totalmem() / 2 ** 30)} GiB`,
    load: loadavg()[0]!.toFixed(1),
    node: process.version,
    postgres: stage.postgres.version,
  }
}

const isGood = ({ judged }: ServerResult) => judged.every(({ measured, goal }) => isReached(measured, goal))

function summary({ results, failures }: Outcome<ServerResult>): string {
  const missing = failures.length > 0 ? `, ${failures.length} rows could not be measured` : ''
  return `${results.filter(isGood).length} of ${results.length} lines reach their goals${missing}`
}

async function main(): Promise<number> {
  const options = readServerOptions(
    process.argv.slice(2),
    SERVER_ROWS.map(({ name }) => name),
  )
  if (options.help) {
    console.log(USAGE + SERVER_ROWS.map(({ name, about }) => `\n  ${name.padEnd(10)}  ${about}`).join(''))
    return 0
  }
  const subject = findServer(options.subject)
  const scratch = mkdtempSync(join(tmpdir(), 'omen-bench-'))
  let stage: Stage | undefined
  try {
    const opened = await openStage({ subject, scratch, say })
    stage = opened
    const show = options.json ? () => {} : (text: string) => console.log(text)
    const about = machine(opened)
    const { processor, threads, memory, load, node, postgres } = about
    show(`${processor}, ${threads} threads, ${memory}, load ${load}; Node ${node}, PostgreSQL ${postgres}`)
    show(`${options.connections} connections, medians of ${options.runs} turns of ${options.seconds} s\n\n${heading()}`)
    const rows = chosenRows(SERVER_ROWS, options.only)
    const outcome = await measureRows(rows, (row) => row.run(opened, options), { tableLine, failedLine }, show)
    const judged = outcome.results.map((result) => ({ ...result, reached: isGood(result) }))
    if (options.json) console.log(JSON.stringify({ machine: about, options, ...outcome, results: judged }, null, 2))
    else console.log(`\n${summary(outcome)}`)
    return outcome.failures.length === 0 ? 0 : 1
  } finally {
    await stage?.close()
    rmSync(scratch, { recursive: true, force: true })
  }
}

try {
  process.exitCode = await main()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
