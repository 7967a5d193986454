import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Flag } from '../src/command-line/program.js'
import { program } from './omen.js'

/** The root of the repository. */
export const root = fileURLToPath(new URL('../../../', import.meta.url))

export const readPage = (path: string) => readFileSync(join(root, path), 'utf8')

/** The rows of every table of a page that has these headings. A bar in a cell is written as `\|`. */
export function rowsUnder(page: string, headings: readonly string[]): string[][] {
  const rows: string[][] = []
  let isInTable = false
  for (const line of page.split('\n')) {
    const cells = line.startsWith('|') ? cellsOf(line) : undefined
    if (cells === undefined) isInTable = false
    else if (cells.join() === headings.join()) isInTable = true
    else if (isInTable && !/^-+$/.test(cells[0]!)) rows.push(cells)
  }
  return rows
}

function cellsOf(line: string): string[] {
  return line
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'))
}

/** A flag as it appears in the tables of a page. */
export function flagLabel({ name, short, argument }: Flag): string {
  const long = `\`--${name}${argument === undefined ? '' : ` <${argument}>`}\``
  return short === undefined ? long : `\`-${short}\`, ${long}`
}

/** A command of a page, and its shown output. */
export interface Step {
  readonly command: string
  readonly output: readonly string[]
}

/** The blocks of a page that show a session: commands after `$ `, each with its output. */
export function sessionsIn(page: string): Step[][] {
  return [...page.matchAll(/^```console\n(.*?)^```$/gms)].map(([, block = '']) => {
    const steps: { command: string; output: string[] }[] = []
    for (const line of block.trimEnd().split('\n')) {
      if (line.startsWith('$ ')) steps.push({ command: line.slice(2), output: [] })
      else steps.at(-1)!.output.push(line)
    }
    return steps
  })
}

const MARK = '<<<>>>'

/** A folder with a copy of the examples, in which `omen` and `jq` are commands. */
export function openShell(folder: string) {
  const bin = join(folder, 'bin')
  mkdirSync(bin)
  cpSync(join(root, 'examples'), join(folder, 'examples'), { recursive: true })
  const install = (name: string, script: string) => {
    writeFileSync(join(bin, name), `#!/bin/sh\nexec '${process.execPath}' '${script}' "$@"\n`)
    chmodSync(join(bin, name), 0o755)
  }
  install('omen', program)
  writeFileSync(join(bin, 'jq.cjs'), JQ)
  install('jq', join(bin, 'jq.cjs'))
  const env = { PATH: `${bin}:${process.env.PATH}`, OMEN_CONFIG_DIR: join(folder, 'config'), TZ: 'UTC' }
  return {
    /** Runs commands one after the other in one shell, and returns the output of each on both streams. */
    run(commands: readonly string[]): string[][] {
      const script = ['exec 2>&1', ...commands.flatMap((command) => [command, `echo '${MARK}'`])].join('\n')
      const printed = execFileSync('sh', ['-c', script], {
        cwd: folder,
        env,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      return printed
        .split(`${MARK}\n`)
        .slice(0, -1)
        .map((text) => text.split('\n').slice(0, -1))
    },
  }
}

/** jq compiled to WebAssembly, because not every machine has jq. */
const JQ = `
const { raw } = require(${JSON.stringify(createRequire(import.meta.url).resolve('jq-wasm'))})
const [filter, ...flags] = process.argv.slice(2).reverse()
raw(require('node:fs').readFileSync(0, 'utf8'), filter, flags.reverse()).then(console.log)
`

/** Replaces everything that differs from run to run: durations, rates, the number of rules, the names of reports, the times and positions of logs. */
const VARYING: readonly (readonly [RegExp, string])[] = [
  [/^(Parsing rules done! \[)\d+ rules/, '$1<number> rules'],
  [/ in [\d.]+(ms|s|m\d\ds); [\d.]+ ?\S* ?\S*\/s\]/, ' in a moment]'],
  [/ rules=\d+/, ' rules=<number>'],
  [/omen-report-\d+\.json/, 'omen-report-<seconds>.json'],
  [/^\S+Z (\w{3}) ([\w-]+\.ts):\d+ >/, '<time> $1 $2 >'],
  [/ in \S*\/examples:/, ' in <folder>/examples:'],
]

export function withoutVarying(line: string): string {
  return VARYING.reduce((text, [pattern, stable]) => text.replace(pattern, stable), line.trimEnd())
}

/** Whether lines equal the shown ones, in which a line `…` matches any number of lines. */
export function looksLike(lines: readonly string[], shown: readonly string[]): boolean {
  const [first, ...rest] = shown
  if (first === undefined) return lines.length === 0
  if (first === '…') return lines.some((_, index) => looksLike(lines.slice(index), rest)) || rest.length === 0
  return lines.length > 0 && lines[0] === first && looksLike(lines.slice(1), rest)
}

/** The links of a page to other files of the repository, and to headings in them. */
export function linksIn(page: string): string[] {
  const text = page.replace(/^```.*?^```$/gms, '')
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link!).filter((link) => !/^[a-z]+:/.test(link))
}

/** The anchors of a page, as GitHub names them. */
export function anchorsOf(page: string): string[] {
  const text = page.replace(/^```.*?^```$/gms, '')
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}
