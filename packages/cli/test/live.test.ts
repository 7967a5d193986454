import { execFileSync } from 'node:child_process'
import { closeSync, constants, openSync, truncateSync, writeSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { LOG, RULES } from './example.js'
import { program, useFolder } from './omen.js'
import { eventually, openTerminal, recordTerminal, shown, type Terminal, type TerminalOptions } from './terminal.js'

const folder = useFolder()

let terminal: Terminal | undefined
let pipe: number
beforeEach(() => {
  folder.write('rules.yaml', RULES)
  folder.write('app.log', LOG)
  folder.remove('pipe')
  execFileSync('mkfifo', [folder.path('pipe')])
  // Open for reading and writing, so that it has a writer from the start and does not end.
  pipe = openSync(folder.path('pipe'), constants.O_RDWR | constants.O_NONBLOCK)
})
afterEach(() => {
  closeSync(pipe)
  terminal?.close()
  terminal = undefined
})

const OWN = ['-d', '-r', 'rules.yaml']

function inFolder({ env, ...options }: TerminalOptions): TerminalOptions {
  return { cwd: folder.path('.'), ...options, env: { OMEN_CONFIG_DIR: folder.path('config'), ...env } }
}

interface Opened extends Terminal {
  /** The exit code, once the program has ended. */
  readonly status: Promise<number>
}

/** Runs the tool on a terminal whose screen can be read meanwhile. */
function open(args: readonly string[], options: TerminalOptions = {}): Opened {
  const opened = openTerminal([process.execPath, program, ...args], inFolder(options))
  terminal = opened
  const status = opened.ended()
  // A failing test closes the terminal first.
  status.catch(() => {})
  return Object.create(opened, { status: { value: status } })
}

/** Runs the tool on a terminal to its end, and returns the bytes that it wrote. */
function record(args: readonly string[], options: TerminalOptions = {}) {
  return recordTerminal([process.execPath, program, ...args], inFolder(options))
}

/** Removes amounts and times, which differ from run to run. */
function withoutTimes(lines: readonly string[]): string[] {
  return lines.map((line) =>
    line
      .replace(/ \[.* in .*\]$/, ' […]')
      .replace(/^[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] /u, '· ')
      .replace(/ {2,}/g, '  '),
  )
}

/** The labels of live lines, without their progress. */
function labelsOf(lines: readonly string[]): string[] {
  return withoutTimes(lines).map((line) => line.replace(/(?<=[a-z]) {2}.*/, ''))
}

const ESCAPE = '\u001b'

describe('during a scan', () => {
  it('a slow pipe shows live lines, and Ctrl-C the findings so far', async () => {
    const on = open([...OWN, '-o', '', 'app.log', 'pipe'])
    writeSync(pipe, LOG)
    await shown(on, /Reading pipe +122 B/)
    expect(on.isCursorVisible).toBe(false)
    await eventually(on, (lines) =>
      expect(labelsOf(lines)).toEqual([
        'Parsing rules done! […]',
        '· Problems detected',
        '✓ Reading app.log done! […]',
        '· Reading pipe',
        '· Matching lines',
      ]),
    )
    on.type('C-c')
    expect(await on.status).toBe(130)
    expect(on.isCursorVisible).toBe(true)
    expect(withoutTimes(on.lines()).filter((line) => line !== '^C')).toEqual([
      'Parsing rules done! […]',
      'Problems detected done! […]',
      'Reading app.log done! […]',
      'Reading pipe done! […]',
      'Matching lines done! […]',
      'Warning: interrupted: not all of the data was read',
      'Read 8 lines as 8 entries from 2026-03-01 12:00:01Z to 2026-03-01 12:00:04Z in 1 format.',
      'TEST-0002 critical [2 hits @ 2026-03-01T12:00:02.5Z]',
      '  omen explain TEST-0002',
      'TEST-0001 medium [4 hits @ 2026-03-01T12:00:01Z]',
      '  Disk full · omen explain TEST-0001',
    ])
  })

  it.each(['1', '2'])('a large file shows its progress, rate and remaining time (threads: %s)', async (threads) => {
    truncateSync(folder.write('endless.log', `${LOG.repeat(200_000)}`), 2 ** 40)
    const on = open([...OWN, '--threads', threads, '-o', '', 'endless.log'])
    const bar = /^\S Reading endless\.log {2}━*─+ +\d+% {2,}[\d.]+ [MG]B {2,}[\d.]+ [kMG]B\/s {2}\d+\w+.* left$/
    await shown(on, bar)
    on.type('C-c')
    expect(await on.status).toBe(130)
    expect(on.isCursorVisible).toBe(true)
    expect(on.lines().join('\n')).toMatch(/\nReading endless\.log done! \[[\d.]+ [MG]B in /)
  })

  it('a warning and an error appear above the live lines', async () => {
    const on = open([...OWN, '--threads', '1', '-o', '', 'app.log', 'pipe', 'missing/'])
    await shown(on, /Reading pipe/)
    writeSync(pipe, 'no time in here\n'.repeat(60))
    await eventually(on, (lines) =>
      expect(labelsOf(lines)).toEqual([
        expect.stringMatching(/^Data error: missing\/: /),
        'Parsing rules done! […]',
        expect.stringMatching(/^Warning: pipe: no timestamp/),
        '· Problems detected',
        '✓ Reading app.log done! […]',
        '· Reading pipe',
        '· Matching lines',
      ]),
    )
    on.type('C-c')
    expect(await on.status).toBe(130)
    expect(on.lines().filter((line) => /^[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏✓]/u.test(line))).toEqual([])
    expect(on.allLines().filter((line) => line.startsWith('Warning: pipe'))).toHaveLength(1)
  })

  it('a pipe that stays open after problems were found causes one hint', async () => {
    const command = `cat pipe | exec "$0" "$@"`
    const args = [process.execPath, program, ...OWN, '-o', '']
    terminal = openTerminal(['sh', '-c', command, ...args], inFolder({ columns: 140 }))
    // Two problems of which the second is certain only with a line that is more than a second later.
    writeSync(pipe, `${LOG.repeat(20)}2026-03-01T12:00:09Z idle\n2026-03-01T12:00:09Z idle\n`)
    const hint =
      /^Hint: 2 problems so far\. They are printed when standard input ends, or after Ctrl-C; with omen -f, as soon as/
    await shown(terminal, hint)
    writeSync(pipe, LOG.repeat(20))
    await shown(terminal, /Matching lines +1\d\d lines/)
    terminal.type('C-c')
    expect(await terminal.ended()).toBe(130)
    expect(terminal.lines().filter((line) => line.startsWith('Hint:'))).toHaveLength(1)
    expect(terminal.lines()).toContain('TEST-0001 medium [80 hits @ 2026-03-01T12:00:01Z]')
  })

  it('a hint needs no more lines than tail shows, and does not change what is found', async () => {
    const args = [process.execPath, program, ...OWN, '-o', '']
    terminal = openTerminal(['sh', '-c', 'cat pipe | exec "$0" "$@"', ...args], inFolder({ columns: 140 }))
    writeSync(pipe, LOG)
    await shown(terminal, /^Hint: 2 problems so far\./)
    writeSync(pipe, '  and a second line of the last entry\n')
    terminal.type('C-c')
    expect(await terminal.ended()).toBe(130)
    expect(terminal.lines()).toContain('TEST-0001 medium [2 hits @ 2026-03-01T12:00:01Z]')
    expect(terminal.lines()).toContain('TEST-0002 critical [1 hits @ 2026-03-01T12:00:02.5Z]')
  })

  it('detections of a followed pipe appear above the live lines', async () => {
    const on = open([...OWN, '--follow', '-o', '', 'pipe'])
    writeSync(pipe, LOG)
    await shown(on, /^TEST-0001 medium \[2 hits/)
    writeSync(pipe, '2026-03-01T12:00:05Z disk full\n')
    await shown(on, /^TEST-0001 medium \[1 hits @ 2026-03-01T12:00:05Z\]/)
    await eventually(on, (lines) => {
      const live = lines.slice(lines.findLastIndex((line) => line.includes('omen explain')) + 1)
      expect(labelsOf(live)).toEqual(['· Problems detected', '· Reading pipe', '· Matching lines'])
    })
    on.type('C-c')
    expect(await on.status).toBe(130)
    expect(on.isCursorVisible).toBe(true)
  })

  it('no line is wrapped in a window of 40 columns', async () => {
    const name = `${'a-very-long-name-of-a-file-'.repeat(4)}.log`
    folder.write(name, LOG)
    const on = open([...OWN, '-o', '', name, 'pipe'], { columns: 40 })
    writeSync(pipe, LOG)
    await shown(on, /^\S Reading pipe .*B/)
    await eventually(on, (lines) => {
      const live = lines.filter((line) => /^[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏✓]/u.test(line))
      expect(live).toHaveLength(4)
      expect(lines.slice(-4)).toEqual(live)
    })
    on.type('C-c')
    expect(await on.status).toBe(130)
    expect(on.lines().at(-1)).toBe('  Disk full · omen explain TEST-0001')
  })
})

describe('at the end of a scan', () => {
  it('a terminal shows stages, problems in the colours of their severity, and the commands that explain them', async () => {
    const on = open([...OWN, '-o', 'report.json', 'app.log'])
    expect(await on.status).toBe(0)
    expect(withoutTimes(on.lines())).toEqual([
      'Parsing rules done! […]',
      'Problems detected done! […]',
      'Reading app.log done! […]',
      'Matching lines done! […]',
      'Read 4 lines as 4 entries from 2026-03-01 12:00:01Z to 2026-03-01 12:00:04Z in 1 format.',
      'TEST-0002 critical [1 hits @ 2026-03-01T12:00:02.5Z]',
      '  omen explain TEST-0002',
      'TEST-0001 medium [2 hits @ 2026-03-01T12:00:01Z]',
      '  Disk full · omen explain TEST-0001',
      'Wrote report to report.json',
    ])
    const { raw } = record([...OWN, '-o', '', 'app.log'])
    expect(raw).toContain(`${ESCAPE}[1mTEST-0002${ESCAPE}[22m ${ESCAPE}[1;31mcritical${ESCAPE}[22;39m `)
    expect(raw).toContain(`${ESCAPE}[1mTEST-0001${ESCAPE}[22m ${ESCAPE}[33mmedium${ESCAPE}[39m `)
  })

  it('a terminal shows what was read, and in how many entries nothing was found', () => {
    folder.write('quiet/app.log', '2026-03-01T12:00:01Z all is well\n')
    folder.write('quiet/system.journal', 'LPKSHHRH\0\0\0\0')
    const { raw, status } = record([...OWN, '-o', '', 'quiet'], { env: { NO_COLOR: '1' } })
    expect(status).toBe(0)
    expect(raw.split('\r\n').slice(-4)).toEqual([
      'Read 1 line as 1 entry at 2026-03-01 12:00:01Z in 1 format.',
      'Skipped 1 systemd journal: journalctl -D quiet -o json | omen',
      'No known problems found in 1 entry.',
      '',
    ])
  })

  it('a terminal does not show that nothing was found if nothing was examined', () => {
    folder.write('empty.log', '')
    for (const args of [['empty.log'], ['--since', '2026-03-02', 'app.log']]) {
      const { raw } = record([...OWN, '-o', '', ...args], { env: { NO_COLOR: '1' } })
      expect(raw).toMatch(/\r\nWarning: .*nothing was examined\r\n$/)
      expect(raw).not.toContain('No known problems')
      expect(raw).not.toContain('Read ')
    }
  })

  it('NO_COLOR removes only the colours', () => {
    const { raw } = record([...OWN, '-o', '', 'app.log'], { env: { NO_COLOR: '1' } })
    expect(raw).not.toMatch(new RegExp(`${ESCAPE}\\[[\\d;]*m`))
    expect(raw).toContain('\r\n  Disk full · omen explain TEST-0001\r\n')
  })

  it('TERM=dumb has the output of a pipe', () => {
    const { raw } = record([...OWN, '-o', '', 'app.log'], { env: { TERM: 'dumb' } })
    expect(raw).not.toContain(ESCAPE)
    const piped = folder.omen([...OWN, '-o', '', 'app.log']).out
    expect(withoutTimes(raw.split('\r\n'))).toEqual(withoutTimes(piped.split('\n')))
  })

  it('FORCE_COLOR adds only colours to the output of a pipe', () => {
    const { out } = folder.omen([...OWN, '-o', '', 'app.log'], '', { FORCE_COLOR: '1' })
    expect(out).toContain(`${ESCAPE}[1;31mcritical${ESCAPE}[22;39m`)
    expect(out).not.toContain('omen explain')
    const plain = out.replace(new RegExp(`${ESCAPE}\\[[\\d;]*m`, 'g'), '')
    expect(withoutTimes(plain.split('\n'))).toEqual(
      withoutTimes(folder.omen([...OWN, '-o', '', 'app.log']).out.split('\n')),
    )
  })

  it('a terminal shows nothing with -q', () => {
    expect(record([...OWN, '-q', '-o', '', 'app.log'])).toEqual({ raw: '', status: 0 })
  })

  it('a terminal shows only the report with -q -o -, like a pipe', () => {
    const { raw } = record([...OWN, '-q', '-o', '-', 'app.log'])
    expect(raw.replaceAll('\r\n', '\n')).toBe(folder.omen([...OWN, '-q', '-o', '-', 'app.log']).out)
  })
})

it('omen without arguments shows the help on a terminal', () => {
  const { raw, status } = record([], { columns: 80 })
  expect(status).toBe(0)
  expect(raw).toMatch(/^Usage: omen/m)
  expect(raw.replaceAll('\r\n', '\n')).toBe(folder.omen(['--help']).out)
})

describe('text with escape sequences', () => {
  const EVIL = `evil${ESCAPE}]0;owned\u0007${ESCAPE}[2J${ESCAPE}[1;1H\u009b31m\r`
  const OWN_EVIL = ['-d', '-r', 'evil.yaml']

  beforeEach(() => {
    const rule = { set: { event: { source: 'x' }, match: ['disk'] } }
    const cre = { id: 'EVIL-0001', title: `${EVIL}title`, cause: `${EVIL}cause`, references: [`${EVIL}link`] }
    folder.write('evil.yaml', JSON.stringify({ rules: [{ cre, rule }] }))
    folder.write('evil/hit.log', LOG.replaceAll('disk', `${EVIL}disk`))
    folder.write(`evil/${EVIL}.log`, LOG)
    const source = { name: `${EVIL}source`, type: '*', locations: [{ path: 'evil/*.log' }] }
    folder.write('sources.yaml', JSON.stringify({ version: '0.1.0', sources: [source] }))
    folder.write('unknown.yaml', JSON.stringify({ rules: [{ cre: { id: EVIL }, rule }] }))
  })

  it.each([
    ['a file, and a missing one', [...OWN_EVIL, '-o', '', `evil/${EVIL}.log`, `${EVIL}missing`]],
    ['a folder', [...OWN_EVIL, '-o', `${EVIL}.json`, 'evil']],
    ['a data source', [...OWN_EVIL, '-o', '', '-l', 'trace', '-s', 'sources.yaml']],
    ['missing rules', ['-d', '-r', `${EVIL}.yaml`, 'app.log']],
    ['invalid rules', ['-d', '-r', 'unknown.yaml', 'app.log']],
    ['missing data sources', ['-s', EVIL]],
    ['a report that cannot be written', ['-o', `missing/${EVIL}.json`, 'app.log']],
    ['a state that cannot be written', ['--state', `missing/${EVIL}`, 'app.log']],
    ['a template', ['-j', '-o', `${EVIL}.yaml`]],
    ['omen explain', ['explain', ...OWN_EVIL, 'EVIL-0001', EVIL]],
    ['omen rules list', ['rules', 'list', ...OWN_EVIL]],
    ['omen rules show', ['rules', 'show', ...OWN_EVIL, 'EVIL-0001', EVIL]],
    ['omen rules lint', ['rules', 'lint', 'unknown.yaml', EVIL]],
    ['omen rules test', ['rules', 'test', EVIL]],
    ['omen rules new', ['rules', 'new', 'EVIL-0002', EVIL]],
    ['a flag', [`--${EVIL}`]],
    ['a value', ['--since', EVIL]],
    ['a topic', ['help', EVIL]],
  ])('is shown and not interpreted: %s', (_, args) => {
    const { raw } = record(args, { env: { NO_COLOR: '1' } })
    // The sequences of the tool: cursor visibility, line wrapping, and redrawn lines.
    const own = new RegExp(`${ESCAPE}\\[(\\?25[hl]|\\?7[hl]|K|J)|\r${ESCAPE}\\[\\d+A`, 'g')
    const rest = raw.replace(own, '').replaceAll('\r\n', '\n')
    expect([rest, /(?!\n)\p{Cc}/u.exec(rest)]).toEqual([rest, null])
    expect(rest).toMatch(/evil|EVIL/)
    folder.remove(EVIL)
  })
})
