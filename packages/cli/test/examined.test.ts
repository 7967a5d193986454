import { appendFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { LOG, RULES } from './example.js'
import { useFolder } from './omen.js'
import { useProcesses } from './running.js'

const folder = useFolder()
const processes = useProcesses()
const OWN = ['-d', '-r', 'rules.yaml', '-o', '']
const BINARY = Buffer.from(`\x7fELF${'\x02\x01\x00'.repeat(500)}`, 'latin1')
const JOURNAL = Buffer.from('LPKSHHRH\0\0\0\0')

beforeAll(() => {
  folder.write('rules.yaml', RULES)
  folder.write('app.log', LOG)
  folder.write('empty.log', '')
  folder.write('core', BINARY)
})

/** The messages in the log of a run with `-l info`, without times and positions. */
function logged(err: string): string[] {
  return err.split('\n').flatMap((line) => / INF conclude-reading\.ts:\d+ > (.*)/.exec(line)?.[1] ?? [])
}

const READ = 'Read 4 lines as 4 entries from 2026-03-01 12:00:01Z to 2026-03-01 12:00:04Z in 1 format.'

describe('what was examined is in the log', () => {
  const infoOf = (args: readonly string[], input?: string) =>
    logged(folder.omen([...OWN, '-l', 'info', ...args], input).err)

  it('of a file, of standard input and of both', () => {
    expect(infoOf(['app.log'])).toEqual([READ])
    expect(infoOf([], LOG)).toEqual([READ])
    expect(infoOf(['-', 'app.log'], LOG)).toEqual([READ.replaceAll('4 ', '8 ').replace(/:0[14]Z/g, (time) => time)])
  })

  it('of a time range', () => {
    expect(infoOf(['--since', '2026-03-01T12:00:03Z', 'app.log'])).toEqual([
      READ.replace('.', ', 2 of them in the time range.'),
    ])
  })

  it('of several formats in one stream, and of lines without a timestamp', () => {
    const mixed = `2026/03/01 12:00:05 [error] 31#31: *7 connect() failed\n${LOG}`
    expect(infoOf([], mixed)).toEqual([
      'Read 5 lines as 5 entries from 2026-03-01 12:00:01Z to 2026-03-01 12:00:05Z in 2 formats.',
      '3 entries came too late to be put in order.',
    ])
    expect(infoOf([], 'disk full\nwell\n')).toEqual(['Read 2 lines as 2 entries without timestamps.'])
  })

  it('of several threads as of one', () => {
    folder.write('large.log', LOG.repeat(300_000))
    const large = infoOf(['--threads', '2', 'large.log', 'app.log'])
    expect(large[0]).toMatch(
      /^Read 1,200,004 lines as 1,200,004 entries from 2026-03-01 12:00:01Z to 2026-03-01 12:00:04Z in 1 format\./,
    )
    expect(infoOf(['--threads', '1', 'large.log', 'app.log'])).toEqual(large)
    folder.remove('large.log')
  })

  it('of a followed log at its end', async () => {
    folder.write('followed.log', LOG)
    const run = processes.omen([...OWN, '-l', 'info', '--follow', 'followed.log'], {
      cwd: folder.path('.'),
      env: folder.environment(),
    })
    await run.printed('TEST-0002 critical')
    appendFileSync(folder.path('followed.log'), '2026-03-01T12:00:09Z disk full\n2026-03-01T12:00:10Z well\n')
    await run.printed('TEST-0001 medium [1 hits @ 2026-03-01T12:00:09Z]')
    run.kill('SIGINT')
    const { status, err } = await run.ended
    expect(status).toBe(130)
    expect(logged(err)).toEqual([
      'Read 6 lines as 6 entries from 2026-03-01 12:00:01Z to 2026-03-01 12:00:10Z in 1 format.',
    ])
  })

  it('with the files that were skipped, by kind', () => {
    folder.write('logs/app.log', LOG)
    folder.write('logs/empty.log', '')
    folder.write('logs/core', BINARY)
    folder.write(
      'logs/old.tar.gz',
      gzipSync(Buffer.concat([Buffer.alloc(257, 'x'), Buffer.from('ustar'), Buffer.alloc(300)])),
    )
    for (const name of ['a', 'b', 'c']) folder.write(`logs/journal/${name}.journal`, JOURNAL)
    expect(infoOf(['logs'])).toEqual([
      READ,
      'Skipped 3 systemd journals: journalctl -D logs/journal -o json | omen',
      'Skipped 1 tar archive: tar -xOf logs/old.tar.gz | omen',
      'Skipped 1 binary file, 1 empty file',
    ])
  })

  it('with the entries for which there is no rule', () => {
    folder.write(
      'sources.yaml',
      `sources:
  - {name: ours, type: cre.log.test, locations: [{path: app.log}]}
  - {name: other, type: cre.log.other, locations: [{path: app.log}]}
`,
    )
    expect(infoOf(['-s', 'sources.yaml']).at(-1)).toBe('Not examined: 4 entries, because no rule is for cre.log.other.')
  })

  it('and not in the output of a pipe', () => {
    const { out, err } = folder.omen([...OWN, 'app.log'])
    expect(out).not.toContain('Read ')
    expect(err).toBe('')
  })
})

describe('if nothing was examined', () => {
  it.each([
    ['standard input is empty', [], 'stdin is empty: nothing was examined'],
    ['a file is empty', ['empty.log'], 'empty.log is empty: nothing was examined'],
    ['all files are empty', ['empty.log', '-'], 'none of the 2 inputs has an entry: nothing was examined'],
    [
      'no entry is in the time range',
      ['--since', '2026-03-02', 'app.log'],
      'none of the 4 entries is in the time range: they are from 2026-03-01 12:00:01Z to 2026-03-01 12:00:04Z; nothing was examined',
    ],
  ])('because %s, a warning says so, except with -q and --allow-empty', (_, args, warning) => {
    expect(folder.omen([...OWN, ...args])).toMatchObject({ status: 0, err: `Warning: ${warning}\n` })
    expect(folder.omen([...OWN, '-q', ...args])).toEqual({ status: 0, out: '', err: '' })
    expect(folder.omen([...OWN, '--allow-empty', ...args])).toMatchObject({ status: 0, err: '' })
    expect(folder.omen([...OWN, '--strict', '-q', ...args])).toEqual({
      status: 1,
      out: '',
      err: `Warning: ${warning}\n`,
    })
    expect(folder.omen([...OWN, '--strict', '--allow-empty', ...args])).toMatchObject({ status: 0, err: '' })
  })

  it('because a file is binary, it is named, and others are read', () => {
    const skipped = 'Warning: core: binary data is not examined: to read the text in it, try strings core | omen\n'
    expect(folder.omen([...OWN, 'core'])).toMatchObject({
      status: 0,
      err: `${skipped}Warning: core has no text: nothing was examined\n`,
    })
    const { status, out, err } = folder.omen([...OWN, 'core', 'app.log'])
    expect({ status, err }).toEqual({ status: 0, err: skipped })
    expect(out).toContain('TEST-0001 medium [2 hits')
    expect(folder.omen([...OWN, '--strict', 'core', 'app.log']).status).toBe(1)
  })

  it('because the folder has no text, its kinds of files are named', () => {
    folder.write('binaries/core', BINARY)
    folder.write('binaries/system.journal', JOURNAL)
    expect(folder.omen([...OWN, 'binaries'])).toEqual({
      status: 1,
      out: '',
      err: 'Data error: binaries: no file matches: the folder contains no text, only 1 systemd journal: journalctl -D binaries -o json | omen; 1 binary file\n',
    })
  })

  it('because standard input is empty, --fail-on fails unless --allow-empty is given', () => {
    const error = 'Data error: stdin is empty: nothing was examined. If that is expected, add --allow-empty\n'
    expect(folder.omen([...OWN, '-q', '--fail-on', 'info'])).toEqual({ status: 1, out: '', err: error })
    expect(folder.omen([...OWN, '--fail-on', 'info', '--follow'])).toMatchObject({ status: 1, err: error })
    expect(folder.omen([...OWN, '--fail-on', 'info', '--allow-empty'])).toMatchObject({ status: 0, err: '' })
    expect(folder.omen([...OWN, '--fail-on', 'info', 'empty.log']).status).toBe(0)
  })

  it('because nothing is new since the last run, that is normal', () => {
    const args = [...OWN, '--state', 'state', 'app.log']
    expect(folder.omen(args)).toMatchObject({ status: 0, err: '' })
    expect(folder.omen([...args, '--strict'])).toMatchObject({ status: 0, err: '' })
  })
})

describe('a file that ends early', () => {
  it('is an error that says that the part before was examined', () => {
    folder.write('cut.gz', gzipSync(LOG).subarray(0, -12))
    const { status, out, err } = folder.omen([...OWN, 'cut.gz', 'empty.log'])
    expect(status).toBe(1)
    expect(err).toBe(
      'Data error: cut.gz: truncated gzip data: the archive ends early; only what comes before that was examined\n',
    )
    expect(out).toContain('TEST-0001 medium')
  })
})

describe('UTF-16 text without a byte order mark', () => {
  it('is read as text', () => {
    folder.write('windows.log', Buffer.from(LOG, 'utf16le'))
    expect(folder.omen([...OWN, 'windows.log'])).toMatchObject({ err: '', out: expect.stringContaining('TEST-0001') })
  })
})

describe('a rule that is dropped while it runs', () => {
  const ENDLESS = `rules:
  - cre: { id: TEST-0003, severity: 0 }
    rule: { set: { event: { source: '*' }, match: [{ jq: 'def f: f; f' }] } }
`
  const entries = '{"time":"2026-03-01T12:00:01Z"}\n'.repeat(5)
  const warnings =
    /^Warning: stdin: TEST-0003: the jq filter takes too long .*\nWarning: stdin: TEST-0003: the jq filter reached its limit 3 times and is switched off .*\n$/

  it('is a warning even with -q, and exit code 1 with --strict', () => {
    folder.write('endless.yaml', ENDLESS)
    const args = ['-d', '-r', 'endless.yaml', '-q', '-o', '']
    expect(folder.omen(args, entries)).toEqual({ status: 0, out: '', err: expect.stringMatching(warnings) })
    expect(folder.omen([...args, '--strict'], entries)).toEqual({
      status: 1,
      out: '',
      err: expect.stringMatching(warnings),
    })
  })
})

describe('a followed log with very many hits', () => {
  it('has the first ones in the report, and a warning counts the others', () => {
    const line = (n: number) => `2026-03-01T12:00:00.${String(n).padStart(5, '0')}Z disk full\n`
    const log = Array.from({ length: 10_005 }, (_, n) => line(n)).join('')
    const { status, out, err } = folder.omen(['-d', '-r', 'rules.yaml', '-o', '-', '--follow'], log)
    expect({ status, err }).toEqual({
      status: 0,
      err: 'Warning: the report has the first 10,000 hits of each problem in each source: 5 more were found\n',
    })
    expect(JSON.parse(out.slice(out.indexOf('\n[') + 1))[0].hits).toHaveLength(10_000)
  })
})

describe('--strict', () => {
  it('makes a warning about the data exit code 1, and prints it even with -q', () => {
    const { status, err } = folder.omen([...OWN, '-q', '--strict'], 'disk full\n')
    expect(status).toBe(1)
    expect(err).toMatch(/^Warning: stdin: no timestamp/)
    expect(folder.omen([...OWN, '-q', '--strict'], LOG)).toEqual({ status: 0, out: '', err: '' })
  })

  it('makes a skipped journal or archive exit code 1', () => {
    folder.write('strict/app.log', LOG)
    folder.write('strict/core', BINARY)
    expect(folder.omen([...OWN, '-q', '--strict', 'strict'])).toEqual({ status: 0, out: '', err: '' })
    folder.write('strict/old.zip', 'PK\x03\x04')
    expect(folder.omen([...OWN, '-q', '--strict', 'strict'])).toEqual({
      status: 1,
      out: '',
      err: 'Warning: skipped 1 zip archive: unzip -p strict/old.zip | omen\n',
    })
  })

  it('comes after an error and before --fail-on', () => {
    expect(folder.omen([...OWN, '--strict', '--fail-on', 'info'], LOG).status).toBe(3)
    expect(folder.omen([...OWN, '--strict', '--fail-on', 'info', 'core', 'app.log']).status).toBe(1)
  })
})
