/** A line of a log, or the lines of an entry. */
export interface WrittenLine {
  /** As it is in the log. */
  readonly raw: string
  /** As the program wrote it, without what a container runtime has added. */
  readonly text: string
  /** The time of the entry that it belongs to, in nanoseconds since 1970. */
  readonly timestamp: bigint
}

/** How a collector passes on the lines of a program. */
export interface Wrapping {
  readonly write: (line: WrittenLine) => string
  /**
   * What becomes of an entry of several lines: its lines are written one by one (`lines`), each with a time of its own, which
   * tears it apart (`torn`), or together (`whole`), as a collector does that is told how an entry starts.
   */
  readonly entries: 'lines' | 'torn' | 'whole'
}

type Write = Wrapping['write']

const HOST = 'node-1'
const POD = 'shop-7d9c5b8f6d-x2k4z'

function iso({ timestamp }: WrittenLine): string {
  const seconds = new Date(Number(timestamp / 1_000_000n)).toISOString().slice(0, 19)
  return `${seconds}.${String(timestamp % 1_000_000_000n).padStart(9, '0')}Z`
}

/** `Nov 12 03:02:10`. */
function syslogTime(line: WrittenLine): string {
  const [, month, day, time] = /^\w+, (\d+) (\w+) \d+ (\S+)/.exec(
    new Date(Number(line.timestamp / 1_000_000n)).toUTCString(),
  )!
  return `${day} ${Number(month).toString().padStart(2)} ${time}`
}

const timed: Write = (line) => `${iso(line)} ${line.text}`
const journald: Write = (line) => `${syslogTime(line)} ${HOST} shop[4711]: ${line.text}`
const syslog3164: Write = (line) => `<27>${journald(line)}`
const syslog5424: Write = (line) =>
  `<27>1 ${iso(line)} ${HOST} shop 4711 - [origin ip="10.0.0.7" software="rsyslogd"] \ufeff${line.text}`
const compose: Write = ({ raw }) => `shop-1    | ${raw}`
const composeTimed: Write = (line) => compose({ ...line, raw: timed(line) })
const prefixed: Write = ({ raw }) => `[pod/${POD}/shop] ${raw}`
const prefixedTimed: Write = (line) => prefixed({ ...line, raw: timed(line) })
const stern: Write = ({ raw }) => `${POD} shop ${raw}`
const sternTimed: Write = (line) => stern({ ...line, raw: timed(line) })
const docker: Write = (line) => JSON.stringify({ log: `${line.text}\n`, stream: 'stderr', time: iso(line) })
const cri: Write = (line) => `${iso(line)} stderr F ${line.text}`
const filebeat: Write = (line) =>
  JSON.stringify({ '@timestamp': iso(line), message: line.text, log: { file: { path: '/var/log/shop.log' } } })
const fluentBit: Write = (line) => JSON.stringify({ time: iso(line), log: line.text })

const around =
  (outer: Write, inner: Write): Write =>
  (line) =>
    outer({ ...line, raw: inner(line), text: inner(line) })

const LEVELS = /\b(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|FATAL|PANIC|CRITICAL|info|warn|error|fatal):?/g
const coloured: Write = ({ raw }) => raw.replace(LEVELS, '\u001b[1;31m$&\u001b[0m')

/** What reads and writes lines with a time in each of them. */
const COLLECTORS: Readonly<Record<string, Write>> = {
  Docker: docker,
  CRI: cri,
  'journalctl -o short': journald,
  'RFC 3164': syslog3164,
  'RFC 5424': syslog5424,
  'docker compose logs --timestamps': composeTimed,
  'kubectl logs --prefix --timestamps': prefixedTimed,
  'stern --timestamps': sternTimed,
  '{"message": …}': filebeat,
  '{"log": …}': fluentBit,
  'Docker around docker compose logs --timestamps': around(docker, composeTimed),
  'Docker around colour codes': around(docker, coloured),
  'CRI around {"log": …}': around(cri, fluentBit),
  'journalctl around {"message": …}': around(journald, filebeat),
  'RFC 5424 around {"log": …}': around(syslog5424, fluentBit),
  '{"message": …} around {"log": …}': around(filebeat, fluentBit),
  '{"message": …} around colour codes': around(filebeat, coloured),
  '{"log": …} around journalctl': around(fluentBit, journald),
  'docker compose logs around {"log": …}': around(compose, fluentBit),
}

/** What changes lines, and leaves their times to the program. */
const TOOLS: Readonly<Record<string, Write>> = {
  CRLF: ({ raw }) => `${raw}\r`,
  'colour codes': coloured,
  'docker compose logs': compose,
  'kubectl logs --prefix': prefixed,
  stern,
}

const all = (writers: Readonly<Record<string, Write>>, entries: Wrapping['entries']) =>
  Object.fromEntries(Object.entries(writers).map(([name, write]): [string, Wrapping] => [name, { write, entries }]))

/** Every wrapping by its name. */
export const WRAPPINGS: Readonly<Record<string, Wrapping>> = {
  ...all(TOOLS, 'lines'),
  ...all(COLLECTORS, 'torn'),
  ...all(
    { '{"message": …} of whole entries': filebeat, 'CRI around {"log": …} of whole entries': around(cri, fluentBit) },
    'whole',
  ),
}
