import { describe, expect, it } from 'vitest'
import { messagesOf } from './messages.js'

const LINE = 'FATAL:  the database system is starting up'

/** A csvlog line of PostgreSQL 17. */
const csvlog = (severity: string, state: string, message: string) =>
  `2026-03-01 12:00:01.123 UTC,"app","shop",2211,"10.0.0.7:51022",69a42f31.8a3,1,"authentication",2026-03-01 12:00:01 UTC,3/17,0,${severity},${state},"${message}",,,,,,,,,"","client backend",,0`

describe('the messages inside a text', () => {
  it.each([
    ['RFC 3164', `Mar  1 12:00:01 db-1 postgres[2211]: ${LINE}`],
    ['RFC 3164 with a priority', `<28>Mar  1 12:00:01 db-1 postgres[2211]: ${LINE}`],
    ['RFC 3164 without a process id', `Mar 01 12:00:01 db-1 postgres: ${LINE}`],
    ['RFC 3164 from an IPv6 address', `Mar 01 12:00:01 fe80::1 postgres: ${LINE}`],
    ['RFC 3164 without a host', `<28>Mar  1 12:00:01 postgres[2211]: ${LINE}`],
    ['RFC 3164 with a name with spaces', `Mar  1 12:00:01 mac Google Chrome[2211]: ${LINE}`],
    ['RFC 3164 with a facility', `Mar  1 12:00:01 OpenWrt daemon.err postgres[2211]: ${LINE}`],
    ['RFC 3164 with PAM in the tag', `Jun 14 15:16:01 combo sshd(pam_unix)[19939]: ${LINE}`],
    ['journalctl -o short-precise', `Mar 01 12:00:01.123456 db-1 postgres[2211]: ${LINE}`],
    ['journalctl -o short-iso', `2026-03-01T12:00:01+0000 db-1 postgres[2211]: ${LINE}`],
    ['journalctl -o short-iso after its time was taken off', `db-1 postgres[2211]: ${LINE}`],
    ['journalctl -o short-iso of the kernel', `db-1 kernel: ${LINE}`],
    ['journalctl -o short-full', `Sun 2026-03-01 12:00:01 UTC db-1 postgres[2211]: ${LINE}`],
    ['journalctl -o short-unix', `1772366401.123456 db-1 postgres[2211]: ${LINE}`],
    ['RFC 5424', `<28>1 2026-03-01T12:00:01.123Z db-1 postgres 2211 - - ${LINE}`],
    ['RFC 5424 without a time', `<28>1 - - - - - - ${LINE}`],
    ['RFC 5424 with a byte order mark', `<28>1 2026-03-01T12:00:01Z db-1 postgres 2211 ID47 - \ufeff${LINE}`],
    [
      'RFC 5424 with structured data',
      `<28>1 2026-03-01T12:00:01Z db-1 postgres 2211 ID47 [x@1 a="1" b="a \\"] [c\\]"][y@1] ${LINE}`,
    ],
    ['docker compose', `db-1  | ${LINE}`],
    ['docker compose v1', `shop_db_1     | ${LINE}`],
    ['docker service', `shop_db.1.ry6yxxs3f5vn@node-2    | ${LINE}`],
    ['kubectl --prefix', `[pod/db-0/postgres] ${LINE}`],
    ['stern, StatefulSet', `db-0 postgres ${LINE}`],
    ['stern, Deployment', `shop-db-7d9c5b8f6d-x2k4z postgres ${LINE}`],
    ['stern, DaemonSet', `fluent-bit-x2k4z fluent-bit ${LINE}`],
    ['stern, CronJob', `backup-29543210-x2k4z backup ${LINE}`],
    ['message', JSON.stringify({ '@timestamp': '2026-03-01T12:00:01Z', message: LINE })],
    ['msg', JSON.stringify({ level: 'error', msg: LINE })],
    ['log with a line end', JSON.stringify({ log: `${LINE}\n`, stream: 'stderr' })],
    ['log with a Windows line end', JSON.stringify({ log: `${LINE}\r\n` })],
    ['MESSAGE', JSON.stringify({ PRIORITY: '3', MESSAGE: LINE })],
    ['MESSAGE in bytes', JSON.stringify({ PRIORITY: '3', MESSAGE: [...new TextEncoder().encode(LINE)] })],
    ['textPayload', JSON.stringify({ severity: 'ERROR', textPayload: LINE })],
    ['body', JSON.stringify({ body: LINE })],
    ['jsonPayload.message', JSON.stringify({ jsonPayload: { message: LINE } })],
    ['fields.msg', JSON.stringify({ fields: { msg: LINE } })],
    ['event.log', JSON.stringify({ event: { log: LINE } })],
    [
      'colours in JSON',
      JSON.stringify({
        log: `\u001b[1;31mFATAL:\u001b[0m  \u001b]8;;http://x\u0007the\u001b]8;;\u001b\\ database system is starting up`,
      }),
    ],
    ['spaces around JSON', ` \t${JSON.stringify({ msg: LINE }, null, 2)}\n`],
    ['csvlog', csvlog('FATAL', '57P03', 'the database system is starting up')],
    [
      'jsonlog',
      JSON.stringify({
        timestamp: '2026-03-01 12:00:01.123 UTC',
        error_severity: 'FATAL',
        state_code: '57P03',
        message: 'the database system is starting up',
      }),
    ],
    ['kubectl logs --timestamps', `2026-03-01T12:00:01.123456789Z ${LINE}`],
    ['CRI', `2026-03-01T12:00:01.123456789+01:00 stderr F ${LINE}`],
  ])('%s is an envelope', (_, text) => {
    expect(messagesOf(text)).toEqual([LINE])
  })

  it.each([
    ['plain text', LINE],
    ['nothing', ''],
    ['an ISO time before a level and a class', '2026-03-01T12:00:01+0000 ERROR Main: no'],
    ['a level and a class', 'ERROR Main: no'],
    ['words before a bar', 'reads a | writes b'],
    ['a word with a hyphen', 'read-only file system'],
    ['a pod without a container', 'shop-db-7d9c5b8f6d-x2k4z: no'],
    ['a prefix before some of the lines', 'web-1  | Traceback\n  File "app.py"'],
    ['a JSON array', '[{"message":"no"}]'],
    ['a JSON string', '"message"'],
    ['an object without a message', '{"level":"error","fields":{"code":7}}'],
    ['a message that is not a string', '{"message":{"text":"no"},"log":7,"body":null}'],
    ['bytes outside of MESSAGE', '{"message":[110,111]}'],
    ['bytes that are too large', '{"MESSAGE":[110,300]}'],
    ['an object that is cut', '{"message":"no","level":"err'],
    ['an invalid escape', '{"message":"C:\\qwe"}'],
    ['RFC 5424 with broken structured data', '<28>1 2026-03-01T12:00:01Z db-1 postgres 2211 ID47 [x a= no'],
    ['another CSV file', '2026-03-01 12:00:01.123 UTC,a,b,ERROR,12345,"no"'],
  ])('%s is not an envelope', (_, text) => {
    expect(messagesOf(text)).toEqual([])
  })

  it('are found in the first field that is a string', () => {
    const text = JSON.stringify({ body: 'body', log: 'log', msg: 'msg', message: 7, event: { message: 'inner' } })
    expect(messagesOf(text)).toEqual(['msg'])
  })

  it('lose a prefix on each of several lines', () => {
    expect(messagesOf('db-1  | a\napi-12 |   b\ndb-1  |\ndb-1  | c')).toEqual(['a\n  b\n\nc'])
    expect(messagesOf('[pod/a/b] a\n[pod/a/b]   b')).toEqual(['a\n  b'])
    expect(messagesOf('db-0 postgres a\ndb-0 postgres   b')).toEqual(['a\n  b'])
  })

  it('lose the quotes of CSV, and may have several lines', () => {
    expect(messagesOf(csvlog('ERROR', '42703', 'column ""a"" does\nnot exist'))).toEqual([
      'ERROR:  column "a" does\nnot exist',
    ])
  })

  it('are inside each other, the outermost first', () => {
    const json = JSON.stringify({ log: `2026-03-01T12:00:01Z ${LINE}` })
    expect(messagesOf(`Mar  1 12:00:01 node-1 web[7]: web-1  | ${json}`)).toEqual([
      `web-1  | ${json}`,
      json,
      `2026-03-01T12:00:01Z ${LINE}`,
      LINE,
    ])
  })

  it('are found four deep', () => {
    const wrapped = ['e', 'd', 'c', 'b', 'a'].reduce((message) => JSON.stringify({ message }), 'innermost')
    expect(messagesOf(wrapped)).toHaveLength(4)
  })

  it('are found in time proportional to the length of hostile texts', () => {
    const long = 1 << 20
    const hostile = [
      'a-'.repeat(long / 2),
      `a${' '.repeat(long)}`,
      `<1>1 - a b c d [x${' a="\\""'.repeat(long / 8)}`,
      `<1>1 - a b c d [x a="${'\\"'.repeat(long / 2)}`,
      `2026-03-01 12:00:01.123 UTC,${'"",'.repeat(10)}ERROR,00000,"${'""'.repeat(long / 2)}`,
      `2026-03-01 12:00:01.123 UTC,"${'""'.repeat(long / 2)}`,
      'a:'.repeat(long / 2),
      'db-1 | x\n'.repeat(long / 9),
      '{"a":'.repeat(long / 5),
    ]
    expect(hostile.map((text) => messagesOf(text).length)).toEqual(hostile.map(() => 0))
  })
})
