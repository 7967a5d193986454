import { readdirSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { VERSION } from '../src/version.js'
import { useFolder } from './omen.js'

const RULES = `rules:
  - cre: {id: TEST-0001, severity: 2, title: Disk full}
    metadata: {id: 8Vx2aTfbHXQxKd, hash: Qm3aTfbHXQxKd1}
    rule: {set: {event: {source: cre.log.test}, match: [disk full]}}
  - cre: {id: TEST-0002, severity: 0}
    rule: {sequence: {event: {source: cre.log.test}, window: 10s, order: [begin, end]}}
`

const LOG = `2026-03-01T12:00:01Z disk full
2026-03-01T12:00:02.5Z begin
2026-03-01T12:00:03Z disk full again
2026-03-01T12:00:04Z end
`

const folder = useFolder()

describe('omen', () => {
  it('prints its version, which is that of its package', () => {
    const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
    expect(VERSION).toBe(version)
    expect(folder.omen(['--version'])).toEqual({ status: 0, out: `omen ${version}\n`, err: '' })
  })

  it('lists the problems of standard input, the worst first', () => {
    const rules = folder.write('rules.yaml', RULES)
    const { status, out, err } = folder.omen(['-d', '-r', rules, '-o', ''], LOG)
    expect({ status, err }).toEqual({ status: 0, err: '' })
    const lines = out.trimEnd().split('\n')
    expect(lines.slice(-2)).toEqual([
      'TEST-0002 critical [1 hits @ 2026-03-01T12:00:02.5Z]',
      'TEST-0001 medium [2 hits @ 2026-03-01T12:00:01Z]',
    ])
    expect(lines.slice(0, -2).map((line) => line.replace(/ done! .*/, ''))).toEqual([
      'Parsing rules',
      'Problems detected',
      'Reading stdin',
      'Matching lines',
    ])
  })

  it('leaves only the report on standard output with -q -o -', () => {
    const rules = folder.write('rules.yaml', RULES)
    const log = folder.write('app.log', LOG)
    const { status, out, err } = folder.omen(['-d', '-r', rules, '-q', '-o', '-', log])
    expect({ status, err }).toEqual({ status: 0, err: '' })
    const report = JSON.parse(out)
    expect(report.map(({ id }: { id: string }) => id)).toEqual(['TEST-0002', 'TEST-0001'])
    expect(report[1]).toEqual({
      cre: { id: 'TEST-0001', severity: 2, title: 'Disk full' },
      hits: [
        { timestamp: '2026-03-01T12:00:01Z', entry: 'disk full', line: 1 },
        { timestamp: '2026-03-01T12:00:03Z', entry: 'disk full again', line: 3 },
      ],
      id: 'TEST-0001',
      rule_hash: 'Qm3aTfbHXQxKd1',
      rule_id: '8Vx2aTfbHXQxKd',
      timestamp: '2026-03-01T12:00:01Z',
    })
  })

  it('writes the report to a file and says so, and none with an empty name', () => {
    const rules = folder.write('rules.yaml', RULES)
    expect(folder.omen(['-d', '-r', rules, '-o', 'report.json'], LOG).out).toMatch(/Wrote report to report\.json\n$/)
    expect(JSON.parse(readFileSync(folder.path('report.json'), 'utf8'))).toHaveLength(2)
    const named = folder.omen(['-d', '-r', rules], LOG).out
    expect(named).toMatch(/Wrote report to omen-report-\d+\.json\n$/)
    const files = readdirSync(folder.path('.')).length
    folder.omen(['-d', '-r', rules, '-o', ''], LOG)
    expect(readdirSync(folder.path('.'))).toHaveLength(files)
  })

  it('writes an empty report when nothing was found', () => {
    expect(folder.omen(['-q', '-o', '-'], '2026-03-01T12:00:01Z all is well\n').out).toBe('[]\n')
  })

  it('takes a folder of rules, and compressed ones', () => {
    folder.write('packed.yaml.gz', gzipSync(RULES))
    expect(folder.omen(['-d', '-r', 'packed.yaml.gz', '-q', '-o', '-'], LOG).out).toContain('TEST-0002')
  })

  it('says every problem of a rule document with its place, and scans nothing', () => {
    const broken = folder.write('broken.yaml', RULES.replace('window: 10s, ', '').replace('severity: 2', 'severity: 9'))
    const { status, out, err } = folder.omen(['-d', '-r', broken], LOG)
    expect({ status, out }).toEqual({ status: 1, out: '' })
    const lines = err.trimEnd().split('\n')
    expect(lines).toHaveLength(2)
    expect(lines[0]).toMatch(/^Rules error: .*broken\.yaml:2:\d+: TEST-0001: .*severity/)
    expect(lines[1]).toMatch(/^Rules error: .*broken\.yaml:6:\d+: TEST-0002: .*window/)
  })

  it('names the repeated identifier', () => {
    const rules = folder.write('rules.yaml', RULES)
    const { status, err } = folder.omen(['-d', '-r', rules, '-r', rules], LOG)
    expect(status).toBe(1)
    expect(err).toContain('Rules error: duplicate rule hash id=TEST-0001 cre=TEST-0001\n')
  })

  it('goes on when one file cannot be read, and fails in the end', () => {
    const rules = folder.write('rules.yaml', RULES)
    const log = folder.write('app.log', LOG)
    const { status, out, err } = folder.omen(['-d', '-r', rules, '-o', '', 'missing.log', log])
    expect(status).toBe(1)
    expect(err).toMatch(/^Data error: missing\.log: /)
    expect(out).toContain('TEST-0001')
  })

  it('says what to do about data that is not text as it stands', () => {
    const packed = folder.omen(['-o', ''], gzipSync(LOG))
    expect({ status: packed.status, err: packed.err }).toEqual({
      status: 1,
      err: 'Data error: stdin: gzip-compressed: try zcat FILE | omen\n',
    })
    const wide = folder.write('wide.log', Buffer.from(`\ufeff${LOG}`, 'utf16le'))
    expect(folder.omen(['-o', '', wide]).err).toMatch(/^Data error: .*wide\.log: UTF-16 text: try iconv/)
  })

  it('says that there are no rules to run', () => {
    expect(folder.omen(['-d'], LOG)).toEqual({ status: 1, out: '', err: 'Rules error: no rules to run\n' })
  })

  it('warns once when nothing has a timestamp, not with -q', () => {
    const rules = folder.write('rules.yaml', RULES)
    const plain = 'disk full\nnothing\ndisk full\n'
    expect(folder.omen(['-d', '-r', rules, '-o', ''], plain).err).toMatch(/^Warning: no timestamp [^\n]*\n$/)
    expect(folder.omen(['-d', '-r', rules, '-q', '-o', ''], plain).err).toBe('')
  })

  it('refuses what it does not understand with exit code 2', () => {
    expect(folder.omen(['--nonsense']).status).toBe(2)
    expect(folder.omen(['--threads', 'many']).status).toBe(2)
  })

  it('works with a configuration folder that cannot be written', () => {
    const rules = folder.write('rules.yaml', RULES)
    const inTheWay = folder.write('no-folder', 'a file where the folder should be')
    const { status, err } = folder.omen(['-d', '-r', rules, '-q', '-o', '-'], LOG, { OMEN_CONFIG_DIR: inTheWay })
    expect({ status, err }).toEqual({ status: 0, err: '' })
  })
})

describe('on several threads', () => {
  it('a file gives the same report as on one', () => {
    const rules = folder.write(
      'many.yaml',
      `rules:
  - cre: {id: TEST-0101}
    rule: {set: {event: {source: x}, match: [needle]}}
  - cre: {id: TEST-0102}
    rule: {sequence: {event: {source: x}, window: 30s, order: [needle 7, other], negate: [{value: calm, window: 2s}]}}
`,
    )
    const start = Date.UTC(2026, 2, 1)
    const lines: string[] = []
    for (let i = 0; i < 420_000; i++) {
      const text =
        i % 5003 === 0 ? `needle ${i % 9}` : i % 101 === 50 ? 'other' : i % 397 === 0 ? 'calm' : 'nothing of interest'
      const fold = i % 1009 === 0 ? '\n  folded line with a needle' : ''
      lines.push(`${new Date(start + i * 150).toISOString()} worker ${i} ${text} ${'.'.repeat(i % 60)}${fold}\n`)
    }
    const log = folder.write('large.log', lines.join(''))
    const args = ['-d', '-r', rules, '-q', '-o', '-', log]
    const alone = folder.omen(args)
    const together = folder.omen(['--threads', '3', ...args])
    expect(JSON.parse(alone.out)[0].hits.length).toBeGreaterThan(400)
    expect(JSON.parse(alone.out)).toHaveLength(2)
    expect(together).toEqual(alone)
  })
})
