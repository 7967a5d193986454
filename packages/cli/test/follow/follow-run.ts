import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CompiledRules, compileRules, createDetector, type Detection } from '@omen/engine'
import type { FollowOptions } from '../../src/follow/follow-options.js'
import { followSources } from '../../src/follow/follow-sources.js'
import { openStateFile } from '../../src/follow/saved/state-file.js'
import type { Source } from '../../src/sources/source.js'
import { createManualClock, type ManualClock } from './manual-clock.js'

const RULES = `rules:
  - cre: {id: T-FULL, severity: 2}
    rule: {set: {event: {source: x}, match: [disk full]}}
  - cre: {id: T-PAIR}
    rule: {sequence: {event: {source: x}, window: 60s, order: [begin, finish]}}
  - cre: {id: T-ALONE}
    rule: {sequence: {event: {source: x}, window: 60s, order: [open, close], negate: [{value: calm, window: 30s}]}}
`

/** The rules of the tests. */
export function testRules(text: string = RULES): Promise<CompiledRules> {
  return compileRules([{ name: 'rules.yaml', text }])
}

/** A detection as a string: the rule, and the line and entry of each hit. */
export function brief({ cre, hits }: Detection): string {
  return [cre.id, ...hits.map(({ line, entry }) => `${line}:${entry}`)].join(' ')
}

/** The detections of one scan over a text. */
export function scanned(rules: CompiledRules, text: string): string[] {
  const detector = createDetector(rules)
  return [...detector.push(Buffer.from(text)), ...detector.end()].map(brief)
}

/** Lines of a log, a second apart. */
export function logLines(...texts: readonly string[]): string {
  return texts.map((text) => `${timeOf(counter++)} ${text}\n`).join('')
}

let counter = 0
const timeOf = (second: number) => new Date(Date.UTC(2026, 2, 1) + second * 1000).toISOString()

/** Writes to a file with a fixed modification time. An entry that was written less than a second ago may be incomplete. */
export function writeLog(path: string, text: string | Uint8Array, flag: 'a' | 'w' = 'a', time = TEST_TIME): void {
  writeFileSync(path, text, { flag })
  // Every change has another time, as on a disk; the steps are larger than a microsecond, which rounding may lose.
  const seconds = (time + changes++ / 100) / 1000
  utimesSync(path, seconds, seconds)
}

const TEST_TIME = Date.UTC(2026, 2, 1, 12)
let changes = 0

/** A folder that is removed at the end of a test. */
export function freshFolder(): { readonly at: (name: string) => string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'omen-follow-'))
  return { at: (name) => join(folder, name), remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** The source of a path on the command line. */
export function sourceOf(...paths: readonly string[]): Source {
  const files = paths.map((path) => ({ path, size: 0, timestamp: undefined }))
  return { name: paths[0]!, type: '*', window: undefined, files }
}

/** A run that a test controls step by step. */
export interface FollowRun {
  readonly clock: ManualClock
  readonly found: string[]
  readonly problems: string[]
  readonly warnings: string[]
  /** The number of bytes that were read until the end of the last round. */
  readonly bytes: number
  /** Runs the next round, or all rounds within a time. */
  step(milliseconds?: number): Promise<void>
  /** Stops the run like Ctrl-C. */
  stop(): Promise<Awaited<ReturnType<typeof followSources>>>
  readonly done: ReturnType<typeof followSources>
}

export interface FollowRunOptions extends Partial<Omit<FollowOptions, 'clock'>> {
  readonly statePath?: string
  readonly clock?: ManualClock
}

/** Starts to follow sources with a stopped clock, and resolves when all existing data was read. */
export async function startRun(
  rules: CompiledRules,
  sources: readonly Source[],
  { statePath, ...rest }: FollowRunOptions = {},
): Promise<FollowRun> {
  const clock = rest.clock ?? createManualClock(TEST_TIME)
  const control = new AbortController()
  const [found, problems, warnings]: [string[], string[], string[]] = [[], [], []]
  const state = statePath === undefined ? undefined : openStateFile(statePath)
  let bytes = 0
  const done = followSources({
    sources,
    rules,
    detector: {},
    found: (_, detections) => void found.push(...detections.map(brief)),
    onProblem: (message) => problems.push(message),
    onWarning: (message) => warnings.push(message),
    onProgress: (amount) => {
      bytes = amount.bytes
    },
    once: false,
    ...rest,
    ...(state && { state }),
    signal: control.signal,
    clock,
  }).finally(() => state?.close())
  const settled = done.then(
    () => {},
    () => {},
  )
  const nextRound = () => Promise.race([clock.waiting(), settled])
  await nextRound()
  return {
    clock,
    found,
    problems,
    warnings,
    get bytes() {
      return bytes
    },
    async step(milliseconds = 250) {
      for (let passed = 0; passed < milliseconds; passed += 250) {
        clock.advance(250)
        await nextRound()
      }
    },
    stop() {
      control.abort()
      return done
    },
    done,
  }
}
