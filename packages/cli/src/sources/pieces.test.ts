import { describe, expect, it } from 'vitest'
import { joinPieces, oldestNameFirst, readPieceName } from './pieces.js'

describe('the name of a piece of a log', () => {
  it.each([
    // logrotate
    ['app.log', { log: 'app.log' }],
    ['app.log.1', { log: 'app.log', number: 1 }],
    ['app.log.2.gz', { log: 'app.log', number: 2 }],
    ['app.log.0', { log: 'app.log', number: 0 }],
    ['app.log.003', { log: 'app.log', number: 3 }],
    ['syslog.1', { log: 'syslog', number: 1 }],
    ['messages-20260301', { log: 'messages', date: '20260301' }],
    ['app.log-20260301.xz', { log: 'app.log', date: '20260301' }],
    ['app.log-2026030112', { log: 'app.log', date: '2026030112' }],
    ['app.log-1772366400', { log: 'app.log', date: '1772366400' }],
    ['access_log.1772366400123', { log: 'access_log', date: '1772366400123' }],
    ['app.log.1.bz2', { log: 'app.log', number: 1 }],
    ['app.log.old', { log: 'app.log', number: 1 }],
    ['app.log.gz', { log: 'app.log' }],
    // Loggers and servers
    ['app-20260301.log', { log: 'app.log', date: '20260301' }],
    ['app.log.2026-03-01', { log: 'app.log', date: '2026-03-01' }],
    ['server.log.2026-03-01-12', { log: 'server.log', date: '2026-03-01-12' }],
    ['catalina.2026-03-01.log', { log: 'catalina.log', date: '2026-03-01' }],
    ['localhost_access_log.2026-03-01.txt', { log: 'localhost_access_log.txt', date: '2026-03-01' }],
    ['app-2026-03-01.2.log.gz', { log: 'app.log', date: '2026-03-01.2' }],
    ['app-2026-03.log', { log: 'app.log', date: '2026-03' }],
    ['app-2026-03-01T12-00-00.000.log', { log: 'app.log', date: '2026-03-01T12-00-00.000' }],
    ['postgresql-2026-03-01_000000.log', { log: 'postgresql.log', date: '2026-03-01_000000' }],
    ['cluster-2026-03-01-1.json.gz', { log: 'cluster.json', date: '2026-03-01-1' }],
    ['app-out__2026-03-01_00-00-00.log', { log: 'app-out.log', date: '2026-03-01_00-00-00' }],
    ['app.log.2026-03-01.1', { log: 'app.log', date: '2026-03-01.1' }],
    ['app-20260301.log.1', { log: 'app.log', date: '20260301', number: 1 }],
    // Kubernetes and Docker
    ['0.log.20260301-120000.gz', { log: '0.log', date: '20260301-120000' }],
    ['4f2d-json.log.1', { log: '4f2d-json.log', number: 1 }],
    ['Xorg.0.log.old', { log: 'Xorg.0.log', number: 1 }],
  ])('%s is that of its log and what was added', (name, expected) => {
    expect(readPieceName(name)).toEqual({ date: undefined, number: undefined, ...expected })
  })

  it.each([
    'app-1.log',
    'web1.log',
    'app-1',
    'app.1.log',
    '10.0.0.1',
    'release-1.2.3',
    '1.log',
    '20260301.log',
    'app-20261301.log',
    'app-2026.log',
    'app-12345678.log',
    'app-1772366400.log',
    'app-20260301-worker.log',
    'app.log.10000',
    'old',
    'gold',
    '.1',
  ])('%s is the name of a log', (name) => {
    expect(readPieceName(name)).toEqual({ log: name, date: undefined, number: undefined })
  })
})

describe('the names of pieces', () => {
  it.each([
    ['with numbers', ['app.log.10.gz', 'app.log.9', 'app.log.2', 'app.log.1', 'app.log.0', 'app.log']],
    ['with numbers before the extension', ['app.10.log', 'app.9.log', 'app.1.log', 'app.log']],
    ['with dates', ['app-20251231.log', 'app-20260301.log', 'app-20260302.log', 'app.log']],
    ['with dates and numbers', ['app.2026-03-01.9.log', 'app.2026-03-01.10.log', 'app.2026-03-02.1.log', 'app.log']],
    ['of two rotations', ['app.log-20260301.gz', 'app.log-20260302', 'app.log.2', 'app.log.1', 'app.log']],
    ['with dates that were rotated', ['app-20260301.log.2', 'app-20260301.log.1', 'app-20260301.log', 'app.log']],
    ['of old logs', ['app.log.old', 'app.log']],
  ])('%s are sorted by age', (_, names) => {
    expect(names.toReversed().sort(oldestNameFirst)).toEqual(names)
  })
})

describe('pieces of a log', () => {
  const join = (...paths: string[]) =>
    joinPieces(paths.map((path) => ({ path, size: path.startsWith('/dev/') ? undefined : 1 }))).map(
      ({ path, pieces }) => [path, ...pieces.map((piece) => piece.path)],
    )

  it('are files whose names differ only in what a rotation added', () => {
    expect(join('app.log', 'web.log', 'app.log.1', 'app-20260301.log.gz')).toEqual([
      ['app.log', 'app.log', 'app.log.1', 'app-20260301.log.gz'],
      ['web.log', 'web.log'],
    ])
  })

  it('need not include the file that is written', () => {
    expect(join('logs/web.log.1', './logs/web.log.2')).toEqual([['logs/web.log', 'logs/web.log.1', './logs/web.log.2']])
  })

  it('are in one folder', () => {
    expect(join('a/app.log', 'b/app.log.1')).toEqual([
      ['a/app.log', 'a/app.log'],
      ['b/app.log.1', 'b/app.log.1'],
    ])
  })

  it('are not the logs of two programs', () => {
    const names = ['app-1.log', 'app-2.log', 'web.1.log', 'web.2.log', 'Xorg.0.log', '10.0.0.1', '10.0.0.2']
    expect(join(...names)).toEqual(names.map((name) => [name, name]))
  })

  it('may have their number before the extension if there are other pieces', () => {
    expect(join('app.1.log', 'app.2.log.gz', 'app.log')).toEqual([['app.log', 'app.1.log', 'app.2.log.gz', 'app.log']])
    expect(join('Xorg.0.log', 'Xorg.0.log.old', 'Xorg.1.log')).toEqual([
      ['Xorg.0.log', 'Xorg.0.log', 'Xorg.0.log.old'],
      ['Xorg.1.log', 'Xorg.1.log'],
    ])
  })

  it('are not pipes', () => {
    const pipes = ['/dev/fd/app.log', '/dev/fd/app.log.1']
    expect(join(...pipes)).toEqual(pipes.map((pipe) => [pipe, pipe]))
  })
})
