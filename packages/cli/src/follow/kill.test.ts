import { spawn } from 'node:child_process'
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { freshFolder } from '../../test/follow/follow-run.js'

let folder: ReturnType<typeof freshFolder>
beforeEach(() => {
  folder = freshFolder()
})
afterEach(() => folder.remove())

const RULES = `rules:
  - cre: {id: T-FULL}
    rule: {set: {event: {source: x}, match: [disk full]}}
`

/** A program that follows one file with a state, prints the entries of its detections, and ends after SIGTERM. */
const PROGRAM = `
import { compileRules } from '@omen/engine'
import { followSources, openStateFile, systemClock } from './follow-sources.js'

const [log, statePath] = process.argv.slice(2)
const stop = new AbortController()
process.on('SIGTERM', () => stop.abort())
const state = openStateFile(statePath)
await followSources({
  sources: [{ name: log, type: '*', window: undefined, files: [{ path: log, size: undefined, timestamp: undefined }] }],
  rules: await compileRules([{ name: 'r.yaml', text: ${JSON.stringify(RULES)} }]),
  detector: {},
  found: (_, detections) => {
    for (const { hits } of detections) process.stdout.write(hits[0].entry + '\\n')
  },
  onProblem: (message) => process.stderr.write(message + '\\n'),
  onWarning: (message) => process.stderr.write(message + '\\n'),
  state,
  once: false,
  signal: stop.signal,
  clock: systemClock,
})
state.close()
`

/** Bundles the program with the TypeScript sources, so that the test needs no build. */
async function buildProgram(): Promise<string> {
  const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
  const build = await rolldown({
    input: 'program',
    platform: 'node',
    plugins: [
      {
        name: 'program',
        resolveId: (id) => (id === 'program' ? here('./program.ts') : undefined),
        load: (id) => (id === here('./program.ts') ? PROGRAM : undefined),
      },
    ],
    resolve: {
      alias: { '@omen/engine': here('../../../engine/src/index.ts') },
      extensionAlias: { '.js': ['.ts', '.js'] },
    },
  })
  await build.write({ dir: folder.at('bundle'), format: 'esm', entryFileNames: 'program.mjs' })
  await build.close()
  return folder.at('bundle/program.mjs')
}

describe('a process that is killed while it follows a log', () => {
  it('loses no detection, and one that is stopped with SIGTERM repeats none', async () => {
    const program = await buildProgram()
    const log = folder.at('app.log')
    const state = folder.at('state.json')
    let written = 0
    const write = (count: number) => {
      for (let i = 0; i < count; i++) {
        const time = new Date(Date.UTC(2026, 2, 1) + written * 1000).toISOString()
        appendFileSync(log, `${time} disk full ${++written}\n${time} fine\n`)
      }
    }
    writeFileSync(log, '')

    /** Runs the program until it has printed this line, then sends the signal. Returns the printed numbers. */
    async function runUntil(line: number, signal: NodeJS.Signals): Promise<number[]> {
      const child = spawn(process.execPath, [program, log, state], { stdio: ['ignore', 'pipe', 'inherit'] })
      const printed: number[] = []
      for await (const text of createInterface({ input: child.stdout })) {
        printed.push(Number(text.replace('disk full ', '')))
        if (printed.at(-1) === line) child.kill(signal)
      }
      return printed
    }

    write(50)
    const first = await runUntil(20, 'SIGTERM')
    write(50)
    const second = await runUntil(100, 'SIGTERM')
    const all = Array.from({ length: 100 }, (_, i) => i + 1)
    expect([...first, ...second]).toEqual(all)

    write(50)
    const killed = await runUntil(150, 'SIGKILL')
    expect(killed).toEqual(Array.from({ length: 50 }, (_, i) => 101 + i))
    expect(existsSync(`${state}.lock`)).toBe(true)
    write(50)
    const after = await runUntil(200, 'SIGTERM')
    // Without a gap from the last saved state: lines that were printed in the second before SIGKILL may be repeated.
    expect(after).toEqual(Array.from({ length: 200 - after[0]! + 1 }, (_, i) => after[0]! + i))
    expect(after[0]).toBeLessThanOrEqual(151)
    expect(JSON.parse(readFileSync(state, 'utf8')).files).toHaveLength(1)
  })
})
