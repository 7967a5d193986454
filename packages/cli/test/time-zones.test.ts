import { utimesSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { useFolder } from './omen.js'

const folder = useFolder()

const RULES = `rules:
  - cre: {id: TEST-0001}
    rule: {set: {event: {source: '*'}, match: [disk full]}}
`

/** The times of the hits in the report of a run in a time zone. */
function times(args: readonly string[], zone: string, input = ''): string[] {
  folder.write('rules.yaml', RULES)
  const { out, err, status } = folder.omen(['-d', '-r', 'rules.yaml', '-q', '-o', '-', ...args], input, { TZ: zone })
  expect({ err, status }).toEqual({ err: '', status: 0 })
  const [problem] = JSON.parse(out)
  return (problem?.hits ?? []).map(({ timestamp }: { timestamp: string }) => timestamp)
}

/** The times of a syslog in a zone. */
function syslogIn(zone: string): (milliseconds: number) => string {
  const two = '2-digit'
  const clock = { day: two, hour: two, minute: two, second: two } as const
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, hourCycle: 'h23', month: 'short', ...clock })
  return (milliseconds) => format.format(milliseconds).replace(',', '')
}

describe('a log without zones', () => {
  it('has the times of the machine, so that --since finds what was just written', () => {
    const now = Date.now()
    const hour = 3_600_000
    const moments = [now - 3 * hour, now - hour, now - 60_000]
    // The clocks of this zone are never changed.
    const inKolkata = syslogIn('Asia/Kolkata')
    folder.write('syslog', moments.map((at) => `${inKolkata(at)} web1 app[7]: disk full\n`).join(''))
    const found = times(['--since', '2h', 'syslog'], 'Asia/Kolkata')
    expect(found.map((time) => Date.parse(time))).toEqual(moments.slice(1).map((at) => at - (at % 1000)))
    expect(times(['--since', '2 hours ago', '--log-tz', 'Asia/Kolkata', 'syslog'], 'UTC')).toHaveLength(2)
    expect(times(['--since', '2h', 'syslog'], 'Asia/Tokyo')).toEqual([])
  })

  it('is in the zone of the command line, of the location, of the source, or of the configuration', () => {
    const line = '2026-07-01 12:00:00 disk full\n'
    folder.write('app.log', line)
    expect(times(['app.log'], 'Asia/Tokyo')).toEqual(['2026-07-01T12:00:00+09:00'])
    expect(times([], 'Asia/Tokyo', line)).toEqual(['2026-07-01T12:00:00+09:00'])
    expect(times(['--log-tz', 'UTC', 'app.log'], 'Asia/Tokyo')).toEqual(['2026-07-01T21:00:00+09:00'])
    expect(times(['--log-tz', '-03:30', 'app.log'], 'UTC')).toEqual(['2026-07-01T15:30:00Z'])
    folder.write('config/config.yaml', 'timezone: Europe/Berlin\n')
    try {
      expect(times(['app.log'], 'UTC')).toEqual(['2026-07-01T10:00:00Z'])
      expect(times(['--log-tz', 'local', 'app.log'], 'UTC')).toEqual(['2026-07-01T12:00:00Z'])
      folder.write(
        'sources.yaml',
        'sources:\n  - {timezone: +03:00, locations: [{path: app.log}]}\n  - {timezone: +03:00, locations: [{path: app.log, timezone: +05:00}]}\n',
      )
      expect(times(['-s', 'sources.yaml'], 'UTC').sort()).toEqual(['2026-07-01T07:00:00Z', '2026-07-01T09:00:00Z'])
      expect(times(['-s', 'sources.yaml', '--log-tz', '+01:00'], 'UTC')).toEqual(Array(2).fill('2026-07-01T11:00:00Z'))
    } finally {
      folder.remove('config/config.yaml')
    }
  })

  it('is not read in a zone that is not known', () => {
    const { err, status } = folder.omen(['--log-tz', 'Europe/Berln', 'app.log'])
    expect({ err, status }).toEqual({
      err: 'Usage error: --log-tz: unknown time zone "Europe/Berln". Did you mean Europe/Berlin?\nTry: omen --help\n',
      status: 2,
    })
  })

  it('needs no tables of time zones if it is in the local zone', () => {
    const refuse = "Intl.DateTimeFormat = function () { throw new Error('the tables are loaded') }"
    const more = { TZ: 'Europe/Berlin', NODE_OPTIONS: `--require=${folder.write('refuse.cjs', refuse)}` }
    const input = '2026-07-01 12:00:00 disk full\n'
    const { out, status } = folder.omen(['-d', '-r', 'rules.yaml', '-q', '-o', '-'], input, more)
    expect(status).toBe(0)
    expect(JSON.parse(out)[0].timestamp).toBe('2026-07-01T12:00:00+02:00')
    const named = folder.omen(['-d', '-r', 'rules.yaml', '--log-tz', 'Asia/Tokyo'], input, more)
    expect(named.err).toContain('time zone')
  })
})

describe('an hour that clocks show twice', () => {
  it('is read the same on any number of threads', () => {
    const inBerlin = new Intl.DateTimeFormat('sv-SE', {
      timeZone: 'Europe/Berlin',
      dateStyle: 'short',
      timeStyle: 'medium',
    })
    const start = Date.parse('2026-10-24T23:00:00Z')
    const lines = Array.from({ length: 360_000 }, (_, i) => {
      const text = i % 6000 === 0 ? 'disk full' : 'nothing of interest'
      return `${inBerlin.format(start + i * 40)} web1 app[${i}]: ${text} ${'.'.repeat(50)}\n`
    })
    folder.write('large.log', lines.join(''))
    const expected = Array.from({ length: 60 }, (_, i) => start + i * 240_000)
    for (const threads of ['1', '3']) {
      const found = times(['--threads', threads, '--log-tz', 'Europe/Berlin', 'large.log'], 'UTC')
      expect(found.map((time) => Date.parse(time))).toEqual(expected)
    }
  })

  it('continues in the same pass in the next run with --state', () => {
    const run = (text: string) => {
      const then = new Date('2026-10-25T12:00:00Z')
      utimesSync(folder.write('growing.log', text), then, then)
      return times(['--state', 'state.json', 'growing.log'], 'Europe/Berlin')
    }
    // The format is decided after sixteen lines.
    const quiet = '2026-10-25 02:40:00 x\n'.repeat(16)
    const first = '2026-10-25 02:50:00 disk full\n2026-10-25 02:05:00 disk full\n2026-10-25 02:06:00 x\n'
    expect(run(`${quiet}${first}`)).toEqual(['2026-10-25T02:50:00+02:00', '2026-10-25T02:05:00+01:00'])
    expect(run(`${quiet}${first}2026-10-25 02:10:00 disk full\n2026-10-25 02:11:00 x\n`)).toEqual([
      '2026-10-25T02:10:00+01:00',
    ])
  })
})
