import { copyFileSync, existsSync, renameSync, truncateSync, utimesSync } from 'node:fs'
import type { CompiledRules } from '@omen/engine'
import fc from 'fast-check'
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import {
  type FollowRun,
  freshFolder,
  scanned,
  sourceOf,
  startRun,
  testRules,
  writeLog,
} from '../../test/follow/follow-run.js'

let rules: CompiledRules
let folder: ReturnType<typeof freshFolder>

beforeAll(async () => {
  rules = await testRules()
})
beforeEach(() => {
  folder = freshFolder()
})
afterEach(() => folder.remove())

/** An event of a log, or of the run that follows it. */
type Event =
  | { readonly is: 'line'; readonly text: string }
  | { readonly is: 'half'; readonly text: string; readonly cut: number }
  | { readonly is: 'rename' | 'copy' | 'look' | 'quiet' | 'restart' | 'cron' }

const text = fc.constantFrom(
  'disk full',
  'begin',
  'finish',
  'open',
  'close',
  'calm',
  'idle',
  'nothing',
  'é\u2028 disk full',
)
const event: fc.Arbitrary<Event> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ is: fc.constant('line' as const), text }) },
  { weight: 2, arbitrary: fc.record({ is: fc.constant('half' as const), text, cut: fc.nat(45) }) },
  { weight: 6, arbitrary: fc.constantFrom<Event>({ is: 'look' }, { is: 'rename' }, { is: 'copy' }) },
  { weight: 3, arbitrary: fc.constantFrom<Event>({ is: 'quiet' }, { is: 'restart' }, { is: 'cron' }) },
)

/** A log that is written to, rotated and followed by events; `written` is everything that was ever written to it. */
function createScenario(name: string) {
  const log = folder.at(`${name}.log`)
  const statePath = folder.at(`${name}.json`)
  let second = 0
  let rotations = 0
  let written = ''
  let rest = ''
  let isSeen = false
  let run: FollowRun | undefined
  const found: string[] = []

  const write = (piece: string) => {
    writeLog(log, piece)
    written += piece
  }
  const line = (message: string) => `${new Date(Date.UTC(2026, 2, 1) + second++ * 7000).toISOString()} ${message}\n`
  const finishLine = () => {
    write(rest)
    rest = ''
  }
  const start = async (once: boolean) => {
    run = await startRun(rules, [sourceOf(log)], { statePath, once })
    if (once) await run.done
  }
  const stop = async () => {
    await run?.stop()
    found.push(...(run?.found ?? []))
    expect([run?.problems ?? [], run?.warnings ?? []]).toEqual([[], []])
    run = undefined
  }
  const look = async (milliseconds: number) => {
    if (!run) await start(false)
    await run!.step(milliseconds)
    isSeen ||= existsSync(log)
  }
  const rotated = () => folder.at(`${name}.log.${++rotations}`)

  const actions: Record<Event['is'], (event: Event) => void | Promise<void>> = {
    line(event) {
      finishLine()
      if ('text' in event) write(line(event.text))
    },
    half(event) {
      finishLine()
      if (!('cut' in event)) return
      const whole = Buffer.from(line(event.text))
      // Cut between characters, because the rest is kept as a string.
      const head = whole
        .subarray(0, event.cut)
        .toString('latin1')
        .replace(/[\x80-\xff]+$/, '')
      write(head)
      rest = whole.subarray(head.length).toString('utf8')
    },
    async rename() {
      finishLine()
      if (!existsSync(log)) return
      // A file that is created and renamed between two rounds is never seen.
      if (!isSeen) await look(250)
      renameSync(log, rotated())
      isSeen = false
    },
    async copy() {
      finishLine()
      // Lines that are truncated before they are read cannot be found.
      await look(500)
      copyFileSync(log, rotated())
      truncateSync(log)
      await look(250)
    },
    look: () => look(250),
    quiet: () => look(2000),
    restart: stop,
    async cron() {
      await stop()
      utimesSync(log, 0, 0)
      await start(true)
      await stop()
    },
  }

  return {
    async run(events: readonly Event[]): Promise<string[]> {
      writeLog(log, '')
      for (const one of events) {
        if (one.is === 'copy' || one.is === 'cron') if (!existsSync(log)) continue
        await actions[one.is](one)
      }
      finishLine()
      // Long enough for every file to be read and every window to end.
      for (let i = 0; i < 3; i++) await look(2000)
      for (let i = 0; i < 20; i++) await actions.line({ is: 'line', text: 'idle' })
      await look(3000)
      await stop()
      return found
    },
    expected: () => scanned(rules, written),
  }
}

/** Line numbers start at 1 in every file, so only the text is compared. */
const withoutLines = (found: readonly string[]) => found.map((one) => one.replace(/ \d+:/g, ' ')).sort()

it('a followed log gives the same detections as one scan, however it is written, rotated and interrupted', async () => {
  let scenarios = 0
  await fc.assert(
    fc.asyncProperty(fc.array(event, { maxLength: 40 }), async (events) => {
      const scenario = createScenario(`log${scenarios++}`)
      const found = await scenario.run(events)
      expect(withoutLines(found)).toEqual(withoutLines(scenario.expected()))
    }),
    { numRuns: 60 },
  )
})
