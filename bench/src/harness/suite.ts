import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, loadavg, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { type Flags, type Options, readOptions, usage } from './options.js'
import { type Column, failureLine, headingOf, lineOf } from './table.js'
import { isReached, type Verdict } from './verdict.js'

/** A part of a suite that can be chosen by name. It yields its lines of the table as they are measured. */
export interface Row<Stage, Result> {
  readonly name: string
  readonly about: string
  run(stage: Stage): AsyncIterable<Result>
}

/** A benchmark of one program: its flags, rows and table. The harness does the rest. */
export interface Suite<Own extends Flags, Stage, Result> {
  /** The npm script that runs it. */
  readonly command: string
  readonly flags: Own
  readonly rows: readonly Row<Stage, Result>[]
  readonly columns: readonly Column<Result>[]
  verdictsOf(result: Result): readonly Verdict[]
  /** Remarks under the line of a result. */
  notesOf?(result: Result): readonly string[]
  /** Starts everything that the rows need. */
  open(context: SuiteContext<Own>): Promise<OpenedSuite<Stage>>
}

export interface SuiteContext<Own extends Flags> {
  readonly options: Options<Own>
  /** A folder that is removed at the end. */
  readonly scratch: string
  /** Reports progress on standard error. */
  readonly report: (text: string) => void
}

export interface OpenedSuite<Stage> {
  readonly stage: Stage
  /** The opponents' versions, by name. */
  readonly versions: Readonly<Record<string, string>>
  /** How it is measured, for the line above the table. */
  readonly method: string
  close?(): Promise<void>
}

/**
 * Runs a suite. Returns the exit code: 1 when a row could not be measured, whatever the goals.
 *
 * @example
 * process.exitCode = await runSuite(toolSuite, process.argv.slice(2))
 */
export async function runSuite<const Own extends Flags, Stage, Result>(
  suite: Suite<Own, Stage, Result>,
  argv: readonly string[],
): Promise<number> {
  const { command, flags, rows } = suite
  const options = readOptions(
    argv,
    flags,
    rows.map(({ name }) => name),
  )
  if (options.help) {
    console.log(usage(command, flags, rows))
    return 0
  }
  const scratch = mkdtempSync(join(tmpdir(), 'omen-bench-'))
  const report = (text: string) => process.stderr.write(`… ${text}\n`)
  let opened: OpenedSuite<Stage> | undefined
  try {
    opened = await suite.open({ options, scratch, report })
    const machine = describeMachine(opened.versions)
    const print = options.json ? () => {} : (text: string) => console.log(text)
    print(`${Object.values(machine).join(', ')}\n${opened.method}\n\n${headingOf(suite.columns)}`)
    const outcome = await measureRows(suite, opened.stage, options.only, print)
    if (options.json) console.log(JSON.stringify({ machine, options, ...outcome }, null, 2))
    else console.log(`\n${summaryOf(outcome)}`)
    return outcome.failures.length === 0 ? 0 : 1
  } finally {
    await opened?.close?.()
    rmSync(scratch, { recursive: true, force: true })
  }
}

interface Outcome<Result> {
  readonly results: readonly (Result & { readonly reached: boolean })[]
  readonly failures: readonly { readonly row: string; readonly reason: string }[]
}

/** Measures row after row. A row that fails is reported and does not stop the others. */
async function measureRows<Stage, Result>(
  { rows, columns, verdictsOf, notesOf }: Suite<Flags, Stage, Result>,
  stage: Stage,
  only: readonly string[],
  print: (text: string) => void,
): Promise<Outcome<Result>> {
  const results: (Result & { reached: boolean })[] = []
  const failures: { row: string; reason: string }[] = []
  for (const row of rows.filter(({ name }) => only.length === 0 || only.includes(name))) {
    try {
      for await (const result of row.run(stage)) {
        results.push({ ...result, reached: verdictsOf(result).every(isReached) })
        const indent = ' '.repeat(columns[0]!.width + 1)
        print([lineOf(columns, result), ...(notesOf?.(result) ?? []).map((note) => `${indent}· ${note}`)].join('\n'))
      }
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      failures.push({ row: row.name, reason })
      print(failureLine(columns, row.name, reason))
    }
  }
  return { results, failures }
}

function describeMachine(versions: Readonly<Record<string, string>>) {
  const processors = cpus()
  return {
    processor: processors[0]?.model ?? 'unknown processor',
    threads: `${processors.length} threads`,
    memory: `${Math.round(totalmem() / 2 ** 30)} GiB`,
    load: `load ${loadavg()[0]!.toFixed(1)}`,
    node: `Node ${process.version}`,
    ...Object.fromEntries(Object.entries(versions).map(([name, version]) => [name, `${name} ${version}`])),
  }
}

function summaryOf({ results, failures }: Outcome<unknown>): string {
  const missing = failures.length > 0 ? `, ${failures.length} rows could not be measured` : ''
  return `${results.filter(({ reached }) => reached).length} of ${results.length} lines reach their goals${missing}`
}
