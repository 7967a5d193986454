// `npm start`: scans standard input, or the example logs when nothing is piped in, and suggests what to try next.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fstatSync, readdirSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const omen = fileURLToPath(new URL('../packages/cli/dist/omen.js', import.meta.url))
const examples = fileURLToPath(new URL('../examples/', import.meta.url))

/** A pipe that brings nothing for this long is treated as empty: during the build its producer had time to start. */
const SILENCE_MS = 3000

const NEXT = `
Next:
  npx omen explain 10001          explain this problem and how to solve it
  npx omen /var/log/syslog        scan your own log; or pipe one in: … | npx omen
  npx omen rules list             list all rules
  npx omen --help                 show all commands; docs/omen.md is the manual`

/** The first chunk of standard input, or undefined when nothing is piped in. */
async function firstChunk() {
  const input = fstatSync(0)
  const mayHaveData = input.isFile() ? input.size > 0 : input.isFIFO() || input.isSocket()
  if (!mayHaveData) return undefined
  const silence = new AbortController()
  const timer = setTimeout(() => silence.abort(), SILENCE_MS)
  try {
    const options = { signal: silence.signal }
    const [chunk] = await Promise.race([once(process.stdin, 'data', options), once(process.stdin, 'end', options)])
    return chunk
  } catch {
    return undefined
  } finally {
    clearTimeout(timer)
    process.stdin.pause()
  }
}

async function run(args, chunk) {
  const child = spawn(process.execPath, [omen, ...args], { stdio: [chunk ? 'pipe' : 'ignore', 'inherit', 'inherit'] })
  if (chunk) {
    child.stdin.on('error', () => {})
    child.stdin.write(chunk)
    process.stdin.pipe(child.stdin)
  }
  const [status] = await once(child, 'exit')
  return status ?? 1
}

const chunk = await firstChunk()
if (chunk) {
  process.exitCode = await run(['-o', ''], chunk)
} else {
  const logs = readdirSync(examples).filter((name) => /\.(log|jsonl)$/.test(name))
  console.log('Nothing was piped in, so these are the example logs of one bad night.\n')
  process.exitCode = await run(['-o', '', ...logs.map((name) => relative(process.cwd(), `${examples}${name}`))])
  console.log(NEXT)
}
process.stdin.destroy()
