import { execFileSync, spawnSync } from 'node:child_process'
import {
  appendFileSync,
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  truncateSync,
} from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { beforeEach, describe, expect, it } from 'vitest'
import { LOG, RULES } from './example.js'
import { program, useFolder } from './omen.js'
import { type Running, useProcesses } from './running.js'

const folder = useFolder()
const processes = useProcesses()
const OWN = ['-d', '-r', 'rules.yaml']

const MEGABYTE = 1024 * 1024

/** A run needs about a hundred megabytes, whatever it reads. */
const MOST_MEMORY = 400 * MEGABYTE

/** Writes the peak memory of the tool to a file. */
const PROBE = `
const { isMainThread } = require('node:worker_threads')
const { writeFileSync } = require('node:fs')
const note = () => writeFileSync(process.env.PROBE_OUTPUT, String(process.resourceUsage().maxRSS * 1024))
if (isMainThread) process.on('exit', note)
`

beforeEach(() => {
  folder.write('rules.yaml', RULES)
  folder.write('app.log', LOG)
  folder.write('probe.cjs', PROBE)
})

/** Runs a shell command in which `omen` is the built tool with the rules of these tests. */
function shell(line: string) {
  const omen = `omen() { NODE_OPTIONS=--require="$PWD/probe.cjs" "${process.execPath}" "${program}" -d -r rules.yaml "$@"; }`
  const { status, stdout, stderr } = spawnSync('sh', ['-c', `${omen}; ${line}`], {
    cwd: folder.path('.'),
    env: folder.environment({ PROBE_OUTPUT: folder.path('memory') }),
    maxBuffer: 1 << 28,
  })
  const memory = Number(readFileSync(folder.path('memory'), 'utf8'))
  return { status, out: stdout.toString(), err: stderr.toString(), memory }
}

function start(...args: string[]) {
  return processes.omen([...OWN, ...args], { cwd: folder.path('.'), env: folder.environment() })
}

/** The ID and the line of each hit in the report. */
function hitsIn(report: string): [string, number][] {
  const problems: { id: string; hits: { line: number }[] }[] = JSON.parse(report)
  return problems.flatMap(({ id, hits }) => hits.map(({ line }): [string, number] => [id, line]))
}

const FOUND = [
  ['TEST-0002', 2],
  ['TEST-0002', 4],
  ['TEST-0001', 1],
  ['TEST-0001', 3],
]

describe('a line of a gigabyte', () => {
  const LONG_LINE_LOG = `{ cat app.log; head -c 1000000000 /dev/zero; echo; echo '2026-03-01T12:00:05Z disk full'; }`

  it('needs little memory, and the lines around it are matched', () => {
    const { status, out, err, memory } = shell(`${LONG_LINE_LOG} | omen -o -`)
    expect(status).toBe(0)
    expect(hitsIn(out.slice(out.indexOf('\n[') + 1))).toEqual([...FOUND, ['TEST-0001', 6]])
    expect(err).toMatch(/^Warning: stdin: line 5: the entry is longer than 1 MiB; [^\n]*\n$/)
    expect(memory).toBeLessThan(MOST_MEMORY)
  })

  it('needs little memory if it is a compressed megabyte', () => {
    const zeros = gzipSync(new Uint8Array(50 * MEGABYTE), { level: 1 })
    folder.write(
      'bomb.gz',
      Buffer.concat([
        gzipSync(LOG),
        ...Array.from({ length: 20 }, () => zeros),
        gzipSync('\n2026-03-01T12:00:05Z disk full\n'),
      ]),
    )
    const { status, out, memory } = shell('omen -q -o - bomb.gz')
    expect(status).toBe(0)
    expect(hitsIn(out)).toEqual([...FOUND, ['TEST-0001', 6]])
    expect(memory).toBeLessThan(MOST_MEMORY)
  })
})

describe('a log', () => {
  const bytes = (...parts: (string | number[])[]) => Buffer.concat(parts.map((part) => Buffer.from(part as string)))

  it.each([
    ['that is empty', '', []],
    ['with only a line break', '\n', []],
    ['with the line ends of Windows', LOG.replaceAll('\n', '\r\n'), FOUND],
    ['whose last line does not end', LOG.trimEnd(), FOUND],
    ['with a byte order mark', `\ufeff${LOG}`, FOUND],
    [
      'with bytes that are not text',
      bytes('2026-03-01T12:00:01Z \ufffd', [0xff, 0xc3, 0x28], ' disk full\n'),
      [['TEST-0001', 1]],
    ],
    ['with zeros', '2026-03-01T12:00:01Z \0\0 disk full \0\n', [['TEST-0001', 1]]],
    ['with zeros at its end', `${LOG}${'\0'.repeat(100_000)}`, FOUND],
    ['with escape sequences', '2026-03-01T12:00:01Z \u001b[31mdisk full\u001b[0m\n', [['TEST-0001', 1]]],
  ])('%s is read, from a file and from a pipe', (_, content, expected) => {
    folder.write('odd.log', content)
    const piped = folder.omen([...OWN, '-q', '-o', '-'], content)
    expect({ status: piped.status, err: piped.err }).toEqual({ status: 0, err: '' })
    expect(hitsIn(piped.out)).toEqual(expected)
    const read = folder.omen([...OWN, '-q', '-o', '-', 'odd.log'])
    expect(read.out).toBe(piped.out.replaceAll('"source": "stdin"', '"source": "odd.log"'))
  })

  it('with a hit on every line needs little memory, even for its report of 250 megabytes', () => {
    const count = 300_000
    const line = (number: number) => `2026-03-01T12:00:01Z disk full ${number} ${'x'.repeat(700)}\n`
    folder.write('hits.log', '')
    for (let number = 0; number < count; number += 10_000) {
      appendFileSync(folder.path('hits.log'), Array.from({ length: 10_000 }, (_, i) => line(number + i)).join(''))
    }
    const { status, out, err, memory } = shell('omen -o hits.json hits.log')
    expect({ status, err }).toEqual({ status: 0, err: '' })
    expect(out).toContain(`\nTEST-0001 medium [${count} hits @ 2026-03-01T12:00:01Z]\n`)
    const lines = execFileSync('grep', ['-c', '"entry": "disk full ', folder.path('hits.json')]).toString()
    expect(Number(lines)).toBe(count)
    expect(execFileSync('tail', ['-c', '6', folder.path('hits.json')]).toString()).toBe('  }\n]\n')
    expect(memory).toBeLessThan(2 * MOST_MEMORY)
    for (const name of ['hits.log', 'hits.json']) folder.remove(name)
  })
})

describe('a folder', () => {
  it('of three thousand files is read with few open at once', () => {
    for (let number = 0; number < 3000; number++) folder.write(`many/${number}.log`, '2026-03-01T12:00:01Z disk full\n')
    folder.write(
      'sources.yaml',
      'version: 0.1.0\nsources: [{name: all, type: "*", locations: [{path: "many/*.log"}]}]\n',
    )
    for (const args of ['many', '-s sources.yaml', '--threads 2 many']) {
      const { status, out, err } = shell(`ulimit -n 64; omen -o '' ${args}`)
      expect({ status, err }).toEqual({ status: 0, err: '' })
      expect(out).toContain('\nTEST-0001 medium [3000 hits @ 2026-03-01T12:00:01Z]\n')
    }
    folder.remove('many')
  })

  it('with circular links is read once', () => {
    folder.write('round/deep/app.log', LOG)
    symlinkSync('..', folder.path('round/deep/up'))
    symlinkSync('deep', folder.path('round/again'))
    symlinkSync('itself', folder.path('round/itself'))
    const { status, out, err } = folder.omen([...OWN, '-q', '-o', '-', 'round'])
    expect({ status, err, hits: hitsIn(out) }).toEqual({ status: 0, err: '', hits: FOUND })
    const named = folder.omen([...OWN, '-o', '', 'round/itself'])
    expect(named).toMatchObject({ status: 1, err: expect.stringMatching(/^Data error: round\/itself: [^\n]*\n$/) })
  })
})

describe('a file that changes while it is read', () => {
  /** So large that it is still being read when it changes; a sparse file needs no disk space. */
  const ENDLESS = 2 ** 40

  it.each([
    ['1', 'app.log'],
    ['2', 'large.log'],
  ])('and is truncated ends there (threads: %s)', async (threads, first) => {
    truncateSync(folder.write('large.log', LOG), 40 * MEGABYTE)
    truncateSync(folder.write('shrinking.log', LOG), ENDLESS)
    const run = start('-l', 'debug', '--threads', threads, '-o', '-', first, 'shrinking.log')
    await run.printed(`source read source=${first}`)
    truncateSync(folder.path('shrinking.log'), LOG.length)
    const { status, out } = await run.ended
    expect(status).toBe(0)
    expect(hitsIn(out.slice(out.indexOf('\n[') + 1))).toHaveLength(2 * FOUND.length)
  })

  it('and is deleted is read to its end', async () => {
    truncateSync(folder.write('deleted.log', LOG), ENDLESS)
    const run = start('--threads', '1', '-o', '', 'app.log', 'deleted.log')
    await opened(run, folder.path('deleted.log'))
    const file = openSync(folder.path('deleted.log'), 'r+')
    rmSync(folder.path('deleted.log'))
    truncateSync(`/proc/self/fd/${file}`, LOG.length)
    closeSync(file)
    expect((await run.ended).status).toBe(0)
    expect(run.out).toContain('\nTEST-0001 medium [4 hits')
  })

  it('and is deleted before it is opened is reported', async () => {
    execFileSync('mkfifo', [folder.path('pipe')])
    folder.write('gone.log', LOG)
    const run = start('--threads', '1', '-o', '', 'pipe', 'gone.log', 'app.log')
    await run.printed('Parsing rules done!')
    folder.remove('gone.log')
    await run.during(writeFile(folder.path('pipe'), LOG))
    const { status, out, err } = await run.ended
    expect(status).toBe(1)
    expect(err).toMatch(/^Data error: gone\.log: [^\n]*\n$/)
    expect(out.match(/^Reading (\S+) done!/gm)).toEqual(['Reading pipe done!', 'Reading app.log done!'])
    expect(out).toContain('\nTEST-0001 medium [4 hits')
    folder.remove('pipe')
  })
})

/** Waits until a process has a file open. */
function opened({ pid, until }: Running, path: string): Promise<void> {
  const descriptors = `/proc/${pid}/fd`
  const isOpen = (name: string) => {
    try {
      return readlinkSync(`${descriptors}/${name}`) === path
    } catch {
      // It was closed after it was listed.
      return false
    }
  }
  return until(() => existsSync(descriptors) && readdirSync(descriptors).some(isOpen))
}

describe('a rule document', () => {
  it.each([
    ['whose aliases multiply', doublingAliases(), /too much/],
    ['that is nested very deeply', `rules: ${'['.repeat(100_000)}${']'.repeat(100_000)}`, /too-deep|deep/],
    ['of a hundred thousand rules', manyRules(100_000), /too many parts: split it/],
    ['that is not text', Buffer.from([0xff, 0xfe, 0, 1, 2, 3]), /./],
  ])('%s is refused with its position', (_, content, expected) => {
    folder.write('bomb.yaml', content)
    const { status, out, err } = folder.omen(['-d', '-r', 'bomb.yaml', '-o', '', 'app.log'])
    expect({ status, out }).toEqual({ status: 1, out: '' })
    expect(err).toMatch(/^Rules error: bomb\.yaml:\d+:\d+: [^\n]*\n$/)
    expect(err).toMatch(expected)
  })

  it('of ten thousand rules runs', () => {
    folder.write('many.yaml', manyRules(10_000))
    const { status, out, err } = folder.omen(['-d', '-r', 'many.yaml', '-o', ''], '2026-03-01T12:00:01Z needle 9999.\n')
    expect({ status, err }).toEqual({ status: 0, err: '' })
    expect(out).toContain('\nTEST-9999 medium [1 hits')
  })
})

/** A document of a kilobyte that expands to ten thousand million values. */
function doublingAliases(): string {
  const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]']
  for (let level = 1; level < 10; level++) {
    lines.push(`a${level}: &a${level} [${Array.from({ length: 10 }, () => `*a${level - 1}`).join(', ')}]`)
  }
  return `${lines.join('\n')}\nrules: *a9\n`
}

function manyRules(count: number): string {
  const rule = (number: number) =>
    `  - {cre: {id: TEST-${number}, severity: 2}, rule: {set: {event: {source: x}, match: ['needle ${number}.']}}}\n`
  return `rules:\n${Array.from({ length: count }, (_, number) => rule(number)).join('')}`
}
