// `npm start`: scans what is piped in, or the example logs when nothing is, and says what to try next.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fstatSync, readdirSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const omen = fileURLToPath(new URL('../packages/cli/dist/omen.js', import.meta.url))
const examples = fileURLToPath(new URL('../examples/', import.meta.url))

/** After a build, a producer has had time to start: a pipe that is silent for this long brings nothing. */
const SILENCE_MS = 3000

const NEXT = `
Next:
  npx omen explain 10001          what that problem is, and what to do about it
  npx omen /var/log/syslog        a log of yours; or pipe one in: … | npx omen
  npx omen rules list             what is looked for
  npx omen --help                 everything else; docs/omen.md is the manual`

/** The first piece of what is piped in, or undefined when nothing is. */
async function firstPiece() {
  const input = fstatSync(0)
  const canBring = input.isFile() ? input.size > 0 : input.isFIFO() || input.isSocket()
  if (!canBring) return undefined
  const silence = new AbortController()
  const timer = setTimeout(() => silence.abort(), SILENCE_MS)
  try {
    const options = { signal: silence.signal }
    const [piece] = await Promise.race([once(process.stdin, 'data', options), once(process.stdin, 'end', options)])
    return piece
  } catch {
    return undefined
  } finally {
    clearTimeout(timer)
    process.stdin.pause()
  }
}

async function run(args, piece) {
  const child = spawn(process.execPath, [omen, ...args], { stdio: [piece ? 'pipe' : 'ignore', 'inherit', 'inherit'] })
  if (piece) {
    child.stdin.on('error', () => {})
    child.stdin.write(piece)
    process.stdin.pipe(child.stdin)
  }
  const [status] = await once(child, 'exit')
  return status ?? 1
}

const piece = await firstPiece()
if (piece) {
  process.exitCode = await run(['-o', ''], piece)
} else {
  const logs = readdirSync(examples).filter((name) => /\.(log|jsonl)$/.test(name))
  console.log('Nothing was piped in: these are the example logs, from one bad night.\n')
  process.exitCode = await run(['-o', '', ...logs.map((name) => relative(process.cwd(), `${examples}${name}`))])
  console.log(NEXT)
}
process.stdin.destroy()
