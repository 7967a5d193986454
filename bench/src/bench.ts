import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, loadavg, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { conditionsOf, readCorpus } from './corpus.js'
import { wordRules } from './generate/phrases.js'
import { openMaterials } from './materials.js'
import { chosenRows, measureRows, type Outcome } from './measure-rows.js'
import { type Options, readOptions, showSize, USAGE } from './options.js'
import { toPatterns } from './patterns.js'
import { ensureRipgrep, isValidPattern, ripgrepVersion } from './ripgrep.js'
import { ROWS } from './rows/index.js'
import type { Bench, RuleSet } from './rows/row.js'
import { findSubject } from './subject.js'
import { failedLine, heading, tableLine } from './table.js'
import { isReached, type Result } from './verdict.js'

const DATA = fileURLToPath(new URL('../data/', import.meta.url))
const CORPUS = fileURLToPath(new URL('../../../shared/corpus/cre/', import.meta.url))
/** As many as the corpus has. */
const STAND_INS = 119

const say = (text: string) => process.stderr.write(`… ${text}\n`)

/** The corpus beside the checkout, or as many rules from the word list, said aloud. */
function loadRules(): RuleSet {
  const corpus = readCorpus(CORPUS)
  if (corpus) {
    return { title: `${corpus.rules} corpus rules`, corpus, patterns: toPatterns(corpus.conditions, isValidPattern) }
  }
  say(`no corpus at ../shared/corpus/cre: ${STAND_INS} rules from the word list stand in for it`)
  const text = wordRules(STAND_INS)
  const standIn = { ...conditionsOf([text]), text, examples: [] }
  const patterns = toPatterns(standIn.conditions, isValidPattern)
  return { title: `${STAND_INS} word-list rules`, corpus: standIn, patterns }
}

function machine() {
  const processors = cpus()
  return {
    processor: processors[0]?.model ?? 'unknown',
    threads: processors.length,
    memory: `${Math.round(totalmem() / 2 ** 30)} GiB`,
    load: loadavg()[0]!.toFixed(1),
    node: process.version,
    opponent: ripgrepVersion(),
  }
}

function asJson(options: Options, { results, failures }: Outcome<Result>): string {
  const judged = results.map((result) => ({ ...result, reached: isReached(result.measured, result.goal) }))
  return JSON.stringify({ machine: machine(), options, results: judged, failures }, null, 2)
}

async function main(): Promise<number> {
  const options = readOptions(
    process.argv.slice(2),
    ROWS.map(({ name }) => name),
  )
  if (options.help) {
    console.log(USAGE + ROWS.map(({ name, about }) => `\n  ${name.padEnd(16)}  ${about}`).join(''))
    return 0
  }
  ensureRipgrep(say)
  const subject = findSubject(options.subject)
  const scratch = mkdtempSync(join(tmpdir(), 'omen-bench-'))
  const bench: Bench = { options, subject, scratch, materials: openMaterials(DATA, say), rules: loadRules() }
  const show = options.json ? () => {} : (text: string) => console.log(text)
  try {
    const { processor, threads, memory, load, node, opponent } = machine()
    show(`${processor}, ${threads} threads, ${memory}, load ${load}; Node ${node}, ${opponent}`)
    show(`a log of ${showSize(options.size)}, best of ${options.runs}, ratios cut to two digits\n\n${heading()}`)
    const rows = chosenRows(ROWS, options.only)
    const outcome = await measureRows(rows, (row) => row.run(bench), { tableLine, failedLine }, show)
    if (options.json) console.log(asJson(options, outcome))
    else console.log(`\n${summary(outcome)}`)
    return outcome.failures.length === 0 ? 0 : 1
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

function summary({ results, failures }: Outcome<Result>): string {
  const reached = results.filter(({ measured, goal }) => isReached(measured, goal)).length
  const missing = failures.length > 0 ? `, ${failures.length} rows could not be measured` : ''
  return `${reached} of ${results.length} goals reached${missing}`
}

try {
  process.exitCode = await main()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
