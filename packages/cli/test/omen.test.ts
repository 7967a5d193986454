import { readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { VERSION } from '../src/version.js'
import { LOG, RULES } from './example.js'
import { useFolder } from './omen.js'

const folder = useFolder()
const OWN = ['-d', '-r', 'rules.yaml']

function ready() {
  folder.write('rules.yaml', RULES)
  folder.write('app.log', LOG)
}

describe('omen', () => {
  it('prints its version, which is that of its package', () => {
    const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
    expect(VERSION).toBe(version)
    for (const flag of ['-v', '--version', 'version']) {
      expect(folder.omen([flag])).toEqual({ status: 0, out: `omen ${version}\n`, err: '' })
    }
  })

  it('lists the problems of standard input, the most severe first', () => {
    ready()
    const { status, out, err } = folder.omen([...OWN, '-o', ''], LOG)
    expect({ status, err }).toEqual({ status: 0, err: '' })
    const lines = out.trimEnd().split('\n')
    expect(lines.slice(-2)).toEqual([
      'TEST-0002 critical [1 hits @ 2026-03-01T12:00:02.5Z]',
      'TEST-0001 medium [2 hits @ 2026-03-01T12:00:01Z]',
    ])
    const stage = /^(.+) done! \[[\d.]+ ?[kMG]?(?:B| \w+) in [\dhm.]+m?s; [\d.]+ ?[kMG]?(?:B| \w+)\/s\]$/
    expect(lines.slice(0, -2).map((line) => stage.exec(line)?.[1])).toEqual([
      'Parsing rules',
      'Problems detected',
      'Reading stdin',
      'Matching lines',
    ])
  })

  it('prints times with the offset of the time zone in TZ', () => {
    ready()
    const { out } = folder.omen([...OWN, '-o', '-'], LOG, { TZ: 'Asia/Kolkata' })
    expect(out).toContain('TEST-0001 medium [2 hits @ 2026-03-01T17:30:01+05:30]\n')
    expect(out).toContain('"timestamp": "2026-03-01T17:30:02.5+05:30"')
  })

  it('shows the title and command of a problem only on a terminal', () => {
    ready()
    expect(folder.omen([...OWN, '-o', ''], LOG).out).not.toContain('omen explain')
  })
})

describe('the report', () => {
  it('is alone on standard output with -q -o -', () => {
    ready()
    const { status, out, err } = folder.omen([...OWN, '-q', '-o', '-', 'app.log'])
    expect({ status, err }).toEqual({ status: 0, err: '' })
    expect(JSON.parse(out)).toEqual([
      {
        cre: { id: 'TEST-0002', severity: 0 },
        hits: [
          { timestamp: '2026-03-01T12:00:02.5Z', entry: 'begin', line: 2, source: 'app.log' },
          { timestamp: '2026-03-01T12:00:04Z', entry: 'end', line: 4, source: 'app.log' },
        ],
        id: 'TEST-0002',
        rule_hash: expect.stringMatching(/^[1-9A-Za-z]{12,}$/),
        rule_id: expect.stringMatching(/^[1-9A-Za-z]{12,}$/),
        timestamp: '2026-03-01T12:00:02.5Z',
      },
      {
        cre: { id: 'TEST-0001', severity: 2, title: 'Disk full' },
        hits: [
          { timestamp: '2026-03-01T12:00:01Z', entry: 'disk full', line: 1, source: 'app.log' },
          { timestamp: '2026-03-01T12:00:03Z', entry: 'disk full again', line: 3, source: 'app.log' },
        ],
        id: 'TEST-0001',
        rule_hash: 'Qm3aTfbHXQxKd1',
        rule_id: '8Vx2aTfbHXQxKd',
        timestamp: '2026-03-01T12:00:01Z',
      },
    ])
    expect(out).toBe(`${JSON.stringify(JSON.parse(out), null, 2)}\n`)
  })

  it('comes after the summary with -o -', () => {
    ready()
    const { out } = folder.omen([...OWN, '-o', '-'], LOG)
    const report = out.slice(out.indexOf('\n[') + 1)
    expect(out.indexOf('TEST-0001 medium')).toBeLessThan(out.indexOf('\n['))
    expect(JSON.parse(report)).toHaveLength(2)
  })

  it('goes to a named file, or to one named after the time', () => {
    ready()
    expect(folder.omen([...OWN, '-o', 'report.json'], LOG).out).toMatch(/\nWrote report to report\.json\n$/)
    expect(JSON.parse(readFileSync(folder.path('report.json'), 'utf8'))).toHaveLength(2)
    const named = folder.omen(OWN, LOG).out
    const [, name] = /\nWrote report to (omen-report-\d+\.json)\n$/.exec(named) ?? []
    expect(JSON.parse(readFileSync(folder.path(name), 'utf8'))).toHaveLength(2)
  })

  it('is not written with an empty name, which differs from no -o', () => {
    ready()
    const files = readdirSync(folder.path('.')).length
    expect(folder.omen([...OWN, '-o', ''], LOG).out).not.toContain('Wrote')
    expect(folder.omen([...OWN, '--name='], LOG).out).not.toContain('Wrote')
    expect(readdirSync(folder.path('.'))).toHaveLength(files)
  })

  it('goes to the default file if -o is a prefix and no notification is configured', () => {
    ready()
    expect(folder.omen([...OWN, '-o', 'nightly: '], LOG).out).toMatch(/\nWrote report to omen-report-\d+\.json\n$/)
  })

  it('is not mentioned with -q', () => {
    ready()
    expect(folder.omen([...OWN, '-q', '-o', 'quiet.json'], LOG)).toEqual({ status: 0, out: '', err: '' })
    expect(JSON.parse(readFileSync(folder.path('quiet.json'), 'utf8'))).toHaveLength(2)
  })

  it('is an empty list if nothing was found', () => {
    expect(folder.omen(['-q', '-o', '-'], '2026-03-01T12:00:01Z all is well\n').out).toBe('[]\n')
    expect(folder.omen(['-q', '-o', '-'], '').out).toBe('[]\n')
  })

  it('is the same, byte for byte, for the same data', () => {
    ready()
    const args = [...OWN, '-q', '-o', '-', 'app.log', 'app.log']
    expect(folder.omen(args).out).toBe(folder.omen(args).out)
  })

  it('rejects a path that cannot be written before anything is read', () => {
    ready()
    const { status, out, err } = folder.omen([...OWN, '-o', 'missing/report.json'], LOG)
    expect({ status, out }).toEqual({ status: 1, out: '' })
    expect(err).toMatch(/^Output error: missing\/report\.json: [^\n]+\n$/)
    expect(folder.omen([...OWN, '-o', '.'], LOG).err).toMatch(/^Output error: \.: is a directory/)
  })

  it('leaves no temporary file', () => {
    expect(readdirSync(folder.path('.')).filter((name) => name.endsWith('.tmp'))).toEqual([])
  })
})

describe('rules', () => {
  it('may come from several documents and folders, including compressed ones', () => {
    ready()
    folder.write('more/deep/packed.yaml.gz', gzipSync(RULES.replaceAll('TEST-', 'MORE-').replace(/metadata:.*/, '')))
    const report = JSON.parse(folder.omen([...OWN, '-r', 'more', '-q', '-o', '-'], LOG).out)
    expect(report.map(({ id }: { id: string }) => id).sort()).toEqual([
      'MORE-0001',
      'MORE-0002',
      'TEST-0001',
      'TEST-0002',
    ])
  })

  it('are the bundled ones without -d', () => {
    const { out } = folder.omen(
      ['-q', '-o', '-'],
      readFileSync(new URL('../../../examples/cluster.log', import.meta.url)),
    )
    expect(JSON.parse(out).map(({ id }: { id: string }) => id)).toContain('CRE-2026-10001')
  })

  it('that are invalid are reported with every problem and its position', () => {
    folder.write('broken.yaml', RULES.replace('window: 10s, ', '').replace('severity: 2', 'severity: 9'))
    const { status, out, err } = folder.omen(['-d', '-r', 'broken.yaml'], LOG)
    expect({ status, out }).toEqual({ status: 1, out: '' })
    const lines = err.trimEnd().split('\n')
    expect(lines).toHaveLength(2)
    expect(lines[0]).toMatch(/^Rules error: broken\.yaml:2:\d+: TEST-0001: .*severity/)
    expect(lines[1]).toMatch(/^Rules error: broken\.yaml:6:\d+: TEST-0002: .*window/)
  })

  it('with a duplicate identifier stop the run with the fixed message', () => {
    ready()
    const { status, err } = folder.omen([...OWN, '-r', 'rules.yaml'], LOG)
    expect(status).toBe(1)
    const lines = err.trimEnd().split('\n')
    expect(lines).toContain('Rules error: duplicate rule hash id=TEST-0001 cre=TEST-0001')
    expect(lines).toContain('Rules error: duplicate rule hash id=Qm3aTfbHXQxKd1 cre=TEST-0001')
    expect(lines[0]).toMatch(
      /^\S+ ERR prepare-rules\.ts:\d+ > duplicate rule hash id=\S+ cre=\S+ file=rules\.yaml line=2 /,
    )
  })

  it('must exist', () => {
    const { status, out, err } = folder.omen(['-d'], LOG)
    expect({ status, out }).toEqual({ status: 1, out: '' })
    expect(err).toMatch(/^Rules error: no rules to run\n/)
    expect(folder.omen(['-d', '-r', 'nowhere.yaml'], LOG)).toMatchObject({
      status: 1,
      err: expect.stringMatching(/^Rules error: nowhere\.yaml: /),
    })
  })
})

describe('sources', () => {
  it('are files, each with a separate rule state', () => {
    folder.write('rules.yaml', RULES)
    folder.write('one.log', '2026-03-01T12:00:01Z begin\n')
    folder.write('two.log', '2026-03-01T12:00:02Z end\n2026-03-01T12:00:03Z disk full\n')
    const { out } = folder.omen([...OWN, '-o', '-', 'one.log', 'two.log'])
    expect(out.match(/^Reading (\S+) done!/gm)).toEqual(['Reading one.log done!', 'Reading two.log done!'])
    const report = JSON.parse(out.slice(out.indexOf('\n[') + 1))
    expect(report.map(({ id }: { id: string }) => id)).toEqual(['TEST-0001'])
    expect(report[0].hits[0]).toMatchObject({ source: 'two.log', line: 2 })
  })

  it('that cannot be read are reported, and the others are read', () => {
    ready()
    const { status, out, err } = folder.omen([...OWN, '-o', '', 'missing.log', 'app.log'])
    expect(status).toBe(1)
    expect(err).toMatch(/^Data error: missing\.log: [^\n]+\n$/)
    expect(out).toContain('TEST-0001')
    expect(out).not.toContain('Reading missing.log')
  })

  it('leave no report if none of them could be read', () => {
    const { status, out } = folder.omen(['-o', 'none.json', 'missing.log'])
    expect(status).toBe(1)
    expect(out).not.toContain('Wrote')
  })

  it('may be folders, which are read recursively', () => {
    ready()
    folder.write('logs/a.log', LOG)
    folder.write('logs/deep/b.log', LOG)
    folder.write('logs/binary.bin', new Uint8Array(5000))
    symlinkSync('.', folder.path('logs/loop'))
    const { status, out, err } = folder.omen([...OWN, '-o', '-', 'logs'])
    expect({ status, err }).toEqual({ status: 0, err: '' })
    expect(out.match(/^Reading .* done!/gm)).toEqual(['Reading logs done!'])
    const report = JSON.parse(out.slice(out.indexOf('\n[') + 1))
    expect(report[1].hits.map(({ source }: { source: string }) => source)).toEqual([
      'logs/a.log',
      'logs/a.log',
      'logs/deep/b.log',
      'logs/deep/b.log',
    ])
  })

  it('of a folder skip the reports of earlier runs, and a common warning is printed once', () => {
    ready()
    for (const name of ['a', 'b', 'c']) folder.write(`nightly/${name}.log`, 'disk full\n')
    folder.write('nightly/omen-report-1772366403.json', '"disk full"')
    const { out, err } = folder.omen([...OWN, '-o', '', 'nightly'])
    expect(out).toContain('TEST-0001 medium [3 hits')
    expect(err).toMatch(/^Warning: nightly\/a\.log: no timestamp .*\nWarning: nightly: the same in 2 more files: .*\n$/)
  })

  it('of a type without rules cause a warning with the nearest type', () => {
    ready()
    folder.write('slip.yaml', 'sources: [{name: ours, type: cre.log.tset, locations: [{path: app.log}]}]\n')
    const { status, err } = folder.omen([...OWN, '-o', '', '-s', 'slip.yaml'])
    expect({ status, err }).toEqual({
      status: 0,
      err: 'Warning: ours: no rule is for cre.log.tset: did you mean cre.log.test?\n',
    })
  })

  it('may be compressed, including standard input', () => {
    ready()
    folder.write('app.log.gz', gzipSync(LOG))
    expect(folder.omen([...OWN, '-o', '', 'app.log.gz']).out).toContain('TEST-0001 medium [2 hits')
    expect(folder.omen([...OWN, '-o', ''], gzipSync(LOG)).out).toContain('TEST-0001 medium [2 hits')
    folder.write('cut.log.gz', gzipSync(LOG).subarray(0, -12))
    const { status, err } = folder.omen([...OWN, '-o', '', 'cut.log.gz'])
    expect({ status, err }).toEqual({ status: 1, err: expect.stringMatching(/^Data error: cut\.log\.gz: .*truncated/) })
  })

  it('of UTF-16 text are read as text', () => {
    ready()
    folder.write('wide.log', Buffer.from(`\ufeff${LOG}`, 'utf16le'))
    expect(folder.omen([...OWN, '-o', '', 'wide.log']).out).toContain('TEST-0001 medium [2 hits')
  })

  it('of a data source file run with the rules of their type', () => {
    ready()
    folder.write('parts/first.log', '2026-03-01T12:00:09Z end\n')
    folder.write('parts/second.log', '2026-03-01T12:00:02Z begin\n2026-03-01T12:00:03Z idle\n')
    folder.write(
      'sources.yaml',
      `version: 0.1.0
sources:
  - {name: ours, type: cre.log.test, locations: [{path: parts/*.log}]}
  - {name: other, type: cre.log.other, locations: [{path: app.log}]}
`,
    )
    const { status, out, err } = folder.omen([...OWN, '-o', '-', '-s', 'sources.yaml'])
    expect({ status, err }).toEqual({ status: 0, err: '' })
    expect(out.match(/^Reading (\S+) done!/gm)).toEqual(['Reading ours done!', 'Reading other done!'])
    const report = JSON.parse(out.slice(out.indexOf('\n[') + 1))
    expect(report.map(({ id }: { id: string }) => id)).toEqual(['TEST-0002'])
    // Sorted by first timestamp, so that the sequence goes from one file to the next.
    expect(report[0].hits).toEqual([
      {
        timestamp: '2026-03-01T12:00:02Z',
        entry: 'begin',
        line: 1,
        source: 'ours',
        file: folder.path('parts/second.log'),
      },
      {
        timestamp: '2026-03-01T12:00:09Z',
        entry: 'end',
        line: 1,
        source: 'ours',
        file: folder.path('parts/first.log'),
      },
    ])
  })

  it('without a timestamp cause one warning with their name, except with -q', () => {
    folder.write('rules.yaml', RULES)
    const plain = 'disk full\nnothing\ndisk full\n'
    expect(folder.omen([...OWN, '-o', ''], plain).err).toMatch(/^Warning: stdin: no timestamp [^\n]*\n$/)
    expect(folder.omen([...OWN, '-q', '-o', ''], plain).err).toBe('')
  })
})

describe('time limits', () => {
  it('skip entries before and after', () => {
    ready()
    const count = (...flags: string[]) =>
      /TEST-0001 medium \[(\d+) hits/.exec(folder.omen([...OWN, '-o', '', ...flags, 'app.log']).out)?.[1]
    expect(count('--since', '2026-03-01T12:00:02Z')).toBe('1')
    expect(count('--until', '2026-03-01 12:00:02')).toBe('1')
    expect(count('--since', '2026-03-02')).toBeUndefined()
    expect(count('--since', '2026-03-01', '--until', '2026-03-02')).toBe('2')
    expect(count('--since', '10m')).toBeUndefined()
  })
})

describe('the exit code', () => {
  it.each([
    ['0 when problems were found', [], 0],
    ['3 at or above --fail-on', ['--fail-on', 'high'], 3],
    ['3 at or above --fail-on by number', ['--fail-on', '4'], 3],
    ['0 below --fail-on', ['--fail-on', 'high', '--until', '2026-03-01T12:00:01Z'], 0],
    ['1 for a data error, --fail-on or not', ['--fail-on', 'info', 'missing.log'], 1],
    ['2 for an unknown flag', ['--nonsense'], 2],
    ['2 for an invalid value', ['--threads', 'many'], 2],
    ['2 for an invalid severity', ['--fail-on', 'terrible'], 2],
    ['2 for an invalid level', ['-l', 'loud'], 2],
    ['2 for an invalid time', ['--since', 'soon'], 2],
    ['2 for a time that is turned round', ['--since', '1h', '--until', '2h'], 2],
  ])('is %s', (_, flags, expected) => {
    ready()
    expect(folder.omen([...OWN, '-o', '', ...flags, 'app.log']).status).toBe(expected)
  })

  it('is 3 for a record without severity, which is critical', () => {
    folder.write('bare.yaml', 'rules: [{cre: {id: BARE}, rule: {set: {event: {source: x}, match: [disk full]}}}]')
    const { status, out } = folder.omen(['-d', '-r', 'bare.yaml', '-o', '-', '-q', '--fail-on', 'critical'], LOG)
    expect(status).toBe(3)
    expect(JSON.parse(out)[0].cre).toEqual({ id: 'BARE' })
  })
})

describe('an invalid command line', () => {
  it.each([
    [['--quite'], /^Usage error: .*--quite.*--quiet/],
    [['--fail-on'], /^Usage error: .*--fail-on/],
    [['explian', 'CRE-2026-10001'], /^Usage error: .*explian.*explain/],
    [['rules', 'lnit'], /^Usage error: .*lnit.*lint/],
    [['-g', '-j'], /^Usage error: /],
    [['completion', 'tcsh'], /^Usage error: .*bash/],
  ])('%j is rejected with a suggestion', (args, expected) => {
    const { status, out, err } = folder.omen(args)
    expect({ status, out }).toEqual({ status: 2, out: '' })
    expect(err).toMatch(expected)
    expect(err).toMatch(/\nTry: omen .*--help\n$/)
  })
})

describe('the configuration', () => {
  it('sets rules, and can disable the bundled ones', () => {
    ready()
    folder.write('config/config.yaml', `rules: {paths: [${folder.path('rules.yaml')}], disableCommunityRules: true}\n`)
    const { out, err } = folder.omen(['-o', ''], LOG)
    expect({ err, found: out.includes('TEST-0001') }).toEqual({ err: '', found: true })
    expect(out).toMatch(/^Parsing rules done! \[2 rules /)
    folder.remove('config/config.yaml')
  })

  it('warns about unknown keys with the nearest one, except with -q, and rejects wrong types', () => {
    ready()
    folder.write('config/config.yaml', 'ruls: {paths: []}\n')
    const { status, err } = folder.omen([...OWN, '-o', ''], LOG)
    expect(status).toBe(0)
    expect(err).toMatch(/^Warning: .*config\.yaml:1:8: unknown key "ruls\.paths": did you mean "rules\.paths"\?\n$/)
    expect(folder.omen([...OWN, '-q', '-o', ''], LOG).err).toBe('')
    folder.write('config/config.yaml', 'skip: many\nwindow: 5\n')
    const wrong = folder.omen([...OWN, '-o', ''], LOG)
    expect(wrong).toMatchObject({ status: 1, out: '' })
    expect(wrong.err).toMatch(
      /^Config error: .*config\.yaml:1:7: .*skip.*\nConfig error: .*config\.yaml:2:9: .*window.*\n$/,
    )
    folder.remove('config/config.yaml')
  })

  it('gets an installation token on the first run, which only its owner can read', () => {
    ready()
    folder.omen([...OWN, '-o', ''], LOG)
    const path = folder.path('config/.ruletoken')
    expect(statSync(path).mode & 0o777).toBe(0o600)
    const token = readFileSync(path, 'utf8')
    folder.omen([...OWN, '-o', ''], LOG)
    expect(readFileSync(path, 'utf8')).toBe(token)
  })

  it('may be read-only', () => {
    ready()
    const { status, err } = folder.omen([...OWN, '-q', '-o', '-'], LOG, { OMEN_CONFIG_DIR: '/proc/nothing' })
    expect({ status, err }).toEqual({ status: 0, err: '' })
  })

  it('that is invalid does not prevent explain', () => {
    folder.write('config/config.yaml', 'skip: many\n')
    const { status, out, err } = folder.omen(['explain', '10001'])
    expect({ status, explained: out.includes('CRE-2026-10001') }).toEqual({ status: 0, explained: true })
    expect(err).toMatch(/^Warning: .*config\.yaml:1:7: .*skip/)
    folder.remove('config/config.yaml')
  })

  it('is shown by omen config with the origin of each value', () => {
    folder.write(
      'config/config.yaml',
      'skip: 70\nnotification: {type: slack, webhook: "https://hooks.example/T0/SECRET"}\n',
    )
    const { status, out } = folder.omen(['config'])
    expect(status).toBe(0)
    expect(out).toMatch(/skip +70 +config\.yaml:1/)
    expect(out).not.toContain('SECRET')
    expect(JSON.parse(folder.omen(['config', '--json']).out).settings.skip).toEqual({
      value: 70,
      from: 'config.yaml:1',
    })
    folder.remove('config/config.yaml')
  })
})

describe('logs', () => {
  it('go to standard error at the given level, with the position in the source', () => {
    ready()
    const { err } = folder.omen([...OWN, '-q', '-o', '', '-l', 'debug'], LOG)
    expect(err).toMatch(/^2\d{3}-\S+Z INF prepare-rules\.ts:\d+ > rules loaded rules=2 /m)
    expect(err).toMatch(/ DBG run-scan\.ts:\d+ > /)
    expect(folder.omen([...OWN, '-q', '-o', '', '-l', 'warn'], LOG).err).toBe('')
  })
})

describe('help', () => {
  it('fits 80 columns and is shown for every form of the request', () => {
    for (const args of [
      ['-h'],
      ['--help'],
      ['help'],
      ['rules', '--help'],
      ['rules', 'test', '-h'],
      ['explain', '-h'],
      ['help', 'config'],
    ]) {
      const { status, out, err } = folder.omen(args)
      expect({ status, err }).toEqual({ status: 0, err: '' })
      expect(out.split('\n').filter((line) => line.length > 80)).toEqual([])
      expect(out).toContain('Usage')
    }
  })
})
