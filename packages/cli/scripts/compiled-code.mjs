// The compiled code of the tool's parts, as V8 keeps it: of what a start needs, every function that ran in a start is in it.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Script } from 'node:vm'

/** A log that takes a run through the common ways: entries with timestamps, a continuation line, a hit of no rule. */
const SAMPLE = `2026-03-01T12:00:01Z INFO ready
2026-03-01T12:00:02Z ERROR something failed
    at a line of its stack trace
{"time":"2026-03-01T12:00:03Z","level":"info","msg":"done"}
`

/**
 * Runs the built tool, and takes the code that it keeps for its next start. A file that such a run does not load is compiled
 * without being run. Returns the code by the name of the file.
 *
 * @example
 * for (const [file, code] of compiledCode({ dist: 'packages/cli/dist', folder: '/tmp/x' })) {}
 */
export function compiledCode({ dist, folder }) {
  const config = join(folder, 'config')
  mkdirSync(config, { recursive: true })
  const log = join(folder, 'sample.log')
  writeFileSync(log, SAMPLE)
  execFileSync(process.execPath, [join(dist, 'omen.js'), '-o', '', log], {
    env: { ...process.env, OMEN_CONFIG_DIR: config, NODE_OPTIONS: '' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const kept = readKept(join(config, 'cache'))
  return new Map(
    readdirSync(join(dist, 'parts')).map((file) => [file, kept.get(file) ?? compile(join(dist, 'parts', file))]),
  )
}

/** Each file of the cache holds the code twice. */
function readKept(cache) {
  const kept = new Map()
  for (const folder of readdirSync(cache).filter((name) => name.startsWith('code-'))) {
    for (const file of readdirSync(join(cache, folder))) {
      const both = readFileSync(join(cache, folder, file))
      kept.set(file, both.subarray(0, both.length / 2))
    }
  }
  if (kept.size === 0) throw new Error('the tool keeps no compiled code')
  return kept
}

function compile(file) {
  return new Script(readFileSync(file, 'latin1')).createCachedData()
}
