// The compiled code of the tool's parts, in V8's format. It contains every function that ran in a sample run.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Script } from 'node:vm'

/** A log that uses the common code: entries with timestamps, a continuation line, JSON; no rule matches. */
const SAMPLE = `2026-03-01T12:00:01Z INFO ready
2026-03-01T12:00:02Z ERROR something failed
    at a line of its stack trace
{"time":"2026-03-01T12:00:03Z","level":"info","msg":"done"}
`

/**
 * Runs the built tool and takes the code that it caches for its next start. A file that this run does not load is compiled
 * without running it. Returns the code by file name.
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
  const cached = readCache(join(config, 'cache'))
  return new Map(
    readdirSync(join(dist, 'parts')).map((file) => [file, cached.get(file) ?? compile(join(dist, 'parts', file))]),
  )
}

/** Each file of the cache contains the code twice. */
function readCache(cache) {
  const cached = new Map()
  for (const folder of readdirSync(cache).filter((name) => name.startsWith('code-'))) {
    for (const file of readdirSync(join(cache, folder))) {
      const both = readFileSync(join(cache, folder, file))
      cached.set(file, both.subarray(0, both.length / 2))
    }
  }
  if (cached.size === 0) throw new Error('the tool has cached no compiled code')
  return cached
}

function compile(file) {
  return new Script(readFileSync(file, 'latin1')).createCachedData()
}
