import { closeSync, fstatSync, openSync, readSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import {
  type CompiledRules,
  canBeCut,
  createDetector,
  createFindings,
  type Detection,
  decideFormat,
  type Findings,
  RulesError,
  reportProblems,
} from '@omen/engine'
import type { Request } from './arguments.js'
import { readBundledRules } from './rules/bundled.js'
import { loadRules } from './rules/load-rules.js'
import { readRuleFiles } from './rules/rule-files.js'
import { readFileSource, readPipeSource } from './sources/read-source.js'
import { countProblems, describeProblem, describeStage, localOffset } from './summary.js'
import type { Crew } from './threads/crew.js'

/** How much was read. */
interface Amount {
  readonly bytes: number
  readonly lines: number
}

const STANDARD_INPUT = 0

/** The first bytes of a file, on which its format is decided before it is cut for several threads. */
const HEAD_BYTES = 1024 * 1024

/** Files below this size are scanned before a second thread has started. */
const WORTH_THREADS = 32 * 1024 * 1024

/** Scans what the request names, prints what was found, and returns the exit code. */
export async function run(request: Request): Promise<number> {
  const crew = await startCrewFor(request)
  try {
    return await detectProblems(request, crew)
  } finally {
    await crew?.stop()
  }
}

async function detectProblems(request: Request, crew: Crew | undefined): Promise<number> {
  const say = request.quiet ? () => {} : (line: string) => void process.stdout.write(`${line}\n`)
  const { value: rules, milliseconds } = await timed(() => prepareRules(request))
  if (rules === undefined) return 1
  say(describeStage('Parsing rules', rules.rules.length, 'rules', milliseconds))

  const problems = countProblems()
  const findings = request.output === '' ? undefined : createFindings()
  const found = (detections: Detection[]) => {
    for (const detection of detections) {
      problems.add(detection)
      findings?.add(detection)
    }
  }
  const stages: string[] = []
  let status = 0
  let lines = 0
  const scanning = await timed(async () => {
    for (const path of request.paths.length > 0 ? request.paths : ['-']) {
      const name = path === '-' ? 'stdin' : path
      try {
        const { value, milliseconds } = await timed(() => scan(path, rules, request, crew, found))
        stages.push(describeStage(`Reading ${name}`, value.bytes, 'bytes', milliseconds))
        lines += value.lines
      } catch (error) {
        process.stderr.write(`Data error: ${name}: ${(error as Error).message}\n`)
        status = 1
      }
    }
  })
  const sorted = problems.sorted()
  say(describeStage('Problems detected', sorted.length, 'problems', scanning.milliseconds))
  for (const stage of stages) say(stage)
  say(describeStage('Matching lines', lines, 'lines', scanning.milliseconds))
  for (const problem of sorted) say(describeProblem(problem))
  if (findings) writeReport(request, findings, say)
  return status
}

/** Threads are started where they were asked for and a file is worth it. */
async function startCrewFor({ threads = 1, paths }: Request): Promise<Crew | undefined> {
  const isLarge = (path: string) => (statSync(path, { throwIfNoEntry: false })?.size ?? 0) >= WORTH_THREADS
  if (threads === 1 || !paths.some(isLarge)) return undefined
  const { startCrew } = await import('./threads/crew.js')
  return startCrew(threads - 1)
}

async function prepareRules(request: Request): Promise<CompiledRules | undefined> {
  try {
    const custom = request.rules.flatMap(readRuleFiles)
    const files = request.disabled ? custom : [readBundledRules(), ...custom]
    if (files.length > 0) return await loadRules(files, join(configurationFolder(), 'cache'))
    process.stderr.write('Rules error: no rules to run\n')
  } catch (error) {
    const messages = error instanceof RulesError ? error.problems.map(describeRulesProblem) : [(error as Error).message]
    for (const message of messages) process.stderr.write(`Rules error: ${message}\n`)
  }
  return undefined
}

function describeRulesProblem({ file, line, column, creId, message }: RulesError['problems'][number]): string {
  if (message.startsWith('duplicate rule hash')) return message
  return [`${file}:${line}:${column}`, creId, message].filter(Boolean).join(': ')
}

async function scan(
  path: string,
  rules: CompiledRules,
  request: Request,
  crew: Crew | undefined,
  found: (detections: Detection[]) => void,
): Promise<Amount> {
  const options = { now: new Date(), warn: request.quiet ? () => {} : warn }
  if (path === '-') {
    const detector = createDetector(rules, options)
    if (isRegularFile(STANDARD_INPUT)) readFileSource(STANDARD_INPUT, detector, found)
    else await readPipeSource(STANDARD_INPUT, detector, found)
    return detector.progress
  }
  const file = openSync(path, 'r')
  try {
    const { size } = fstatSync(file)
    const format = crew && size >= WORTH_THREADS ? await decideFormat(readHead(file), options) : undefined
    if (crew && format && canBeCut(format)) {
      const { scanOnThreads } = await import('./threads/scan-on-threads.js')
      const lines = await scanOnThreads({ path, file, size, format }, crew, rules, options, found)
      return { bytes: size, lines }
    }
    const detector = createDetector(rules, options)
    readFileSource(file, detector, found)
    return detector.progress
  } finally {
    closeSync(file)
  }
}

function readHead(file: number): Uint8Array {
  const head = new Uint8Array(HEAD_BYTES)
  return head.subarray(0, readSync(file, head, 0, head.length, 0))
}

function isRegularFile(file: number): boolean {
  return fstatSync(file).isFile()
}

function warn(message: string): void {
  process.stderr.write(`Warning: ${message}\n`)
}

function writeReport(request: Request, findings: Findings, say: (line: string) => void): void {
  const text = `${JSON.stringify(reportProblems(findings.problems(), localOffset), null, 2)}\n`
  if (request.output === '-') {
    process.stdout.write(text)
    return
  }
  const name = request.output ?? `omen-report-${Math.floor(Date.now() / 1000)}.json`
  writeFileSync(name, text)
  say(`Wrote report to ${name}`)
}

function configurationFolder(): string {
  return process.env.OMEN_CONFIG_DIR || join(homedir(), '.preq')
}

async function timed<T>(work: () => T | Promise<T>): Promise<{ value: T; milliseconds: number }> {
  const start = performance.now()
  const value = await work()
  return { value, milliseconds: performance.now() - start }
}
