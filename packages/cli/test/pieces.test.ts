import { mkdirSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { useFolder } from './omen.js'

const folder = useFolder()

const RULES = `rules:
  - cre: {id: SEQUENCE, severity: 1}
    rule: {sequence: {event: {source: '*'}, window: 10s, order: [lost the leader, shutting down]}}
  - cre: {id: NEGATED, severity: 2}
    rule: {sequence: {event: {source: '*'}, window: 10s, order: [stopping, stopped], negate: [{value: started, window: 10s}]}}
  - cre: {id: COUNTED, severity: 3}
    rule: {set: {event: {source: '*'}, window: 1m, match: [{value: retrying, count: 12}]}}
  - cre: {id: SINGLE, severity: 4}
    rule: {set: {event: {source: '*'}, match: [disk full]}}
`

const line = (second: number, text: string) => `2026-03-01T12:00:${String(second).padStart(2, '0')}Z ${text}\n`

interface Reported {
  readonly id: string
  readonly hits: readonly {
    readonly entry: string
    readonly line: number
    readonly source: string
    readonly file?: string
  }[]
}

/** Scans paths in a folder of the test with these files. */
function scan(name: string, files: Readonly<Record<string, string | Uint8Array>>, ...paths: string[]): Reported[] {
  folder.write('rules.yaml', RULES)
  mkdirSync(folder.path(name))
  for (const [file, content] of Object.entries(files)) folder.write(`${name}/${file}`, content)
  const { out, err } = folder.omen([
    '-d',
    '-r',
    'rules.yaml',
    '-q',
    '-o',
    '-',
    ...paths.map((path) => `${name}/${path}`),
  ])
  expect(err).toBe('')
  return JSON.parse(out)
}

describe('pieces of one log', () => {
  it('give one detection for a sequence that starts in one piece and ends in the next', () => {
    const files = {
      'app.log': line(5, 'shutting down') + line(6, 'disk full'),
      'app.log.1': line(1, 'ready') + line(4, 'lost the leader'),
    }
    const hits = [
      { entry: 'lost the leader', line: 2, source: 'seam/app.log', file: 'seam/app.log.1' },
      { entry: 'shutting down', line: 1, source: 'seam/app.log', file: 'seam/app.log' },
    ]
    const [sequence, single] = scan('seam', files, 'app.log', 'app.log.1')
    expect(sequence).toMatchObject({ id: 'SEQUENCE', hits })
    expect(single).toMatchObject({ id: 'SINGLE', hits: [{ line: 2, file: 'seam/app.log' }] })
  })

  it('raise no false alarm for what comes in the next piece', () => {
    const files = {
      'app.log-20260301.gz': gzipSync(line(1, 'stopping') + line(2, 'stopped')),
      'app.log': line(3, 'started') + line(59, 'ready'),
    }
    expect(scan('negated', files, '.')).toEqual([])
    expect(scan('alone', files, 'app.log-20260301.gz')).toMatchObject([{ id: 'NEGATED' }])
  })

  it('are read in order, with numbers of several digits, dates and compressed pieces', () => {
    const dated = ['app-20260228.log', 'app-20260301.log']
    const numbered = ['app.log.10.gz', 'app.log.9.gz', ...Array.from({ length: 8 }, (_, i) => `app.log.${8 - i}`)]
    const names = [...dated, ...numbered, 'app.log']
    const files = Object.fromEntries(
      names.map((name, i) => {
        const text = line(i, 'retrying')
        return [name, name.endsWith('.gz') ? gzipSync(text) : text]
      }),
    )
    const [counted] = scan('many', files, 'app*')
    expect(counted).toMatchObject({ id: 'COUNTED' })
    expect(counted?.hits.map(({ file }) => file)).toEqual(names.slice(0, 12).map((name) => `many/${name}`))
  })

  it('are not the logs of two programs', () => {
    const files = { 'app-1.log': line(4, 'lost the leader'), 'app-2.log': line(5, 'shutting down') }
    expect(scan('programs', files, '.')).toEqual([])
  })

  it('have one progress line, with the name of the log', () => {
    folder.write('rules.yaml', RULES)
    folder.write('lines/app.log.1', line(1, 'ready'))
    folder.write('lines/app.log', line(2, 'ready'))
    const { out } = folder.omen(['-d', '-r', 'rules.yaml', 'lines/app.log.1', 'lines/app.log'])
    expect(out.match(/^Reading .* done! \[\d+ B/gm)).toEqual(['Reading lines/app.log done! [54 B'])
  })
})
