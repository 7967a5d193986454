import type { Event, Level } from './messages.js'
import type { Random } from './random.js'
import { expand } from './template.js'

/** Formats an event like one program: lines with slots for times and ids. */
export type Format = (event: Event, random: Random) => readonly string[]

const UPPER: Record<Level, string> = { debug: 'DEBUG', info: 'INFO', warn: 'WARN', error: 'ERROR' }
const LETTER: Record<Level, string> = { debug: 'I', info: 'I', warn: 'W', error: 'E' }
/** A rule of the corpus matches `[error]`, so only notable messages contain it. */
const NGINX: Record<Level, string> = { debug: 'notice', info: 'notice', warn: 'warn', error: 'crit' }
const PINO: Record<Level, number> = { debug: 20, info: 30, warn: 40, error: 50 }
const POSTGRES: Record<Level, string> = { debug: 'LOG', info: 'LOG', warn: 'WARNING', error: 'ERROR' }
const REDIS: Record<Level, string> = { debug: '.', info: '*', warn: '#', error: '#' }
/** Facility 16 (local0), as RFC 5424 adds it to the severity. */
const PRIORITY: Record<Level, number> = { debug: 135, info: 134, warn: 132, error: 131 }

/** A format in which only the first line has a time; the trace follows unchanged. */
function headed(head: (event: Event) => string): Format {
  return (event, random) => [expand(head(event), random), ...event.trace]
}

/** A format with everything in one line; the trace is a field. */
function structured(record: (event: Event) => object): Format {
  return (event, random) => {
    const fields = event.trace.length > 0 ? { ...record(event), stack: event.trace.join('\n') } : record(event)
    return [expand(unquoteSlots(JSON.stringify(fields)), random)]
  }
}

/** A JSON number cannot be a template, so it is written as the string `"#%{…}"` first. */
const unquoteSlots = (json: string) => json.replaceAll(/"#(%\{[^}]*\})"/g, '$1')

const request = '"%{method} %{path} HTTP/1.1" %{status} %{size}'

/** The formats of programs, by name. */
export const PROGRAMS = {
  kafka: headed(
    (e) => `[%{time:comma}] ${UPPER[e.level]} [%{component} id=%{number:0-5}] ${e.text} (kafka.server.%{class})`,
  ),
  log4j: headed((e) => `%{time:comma} ${UPPER[e.level].padEnd(5)} [%{thread}] %{package}.%{class} - ${e.text}`),
  python: headed((e) => `%{time:comma} - %{service}.%{component} - ${UPPER[e.level]} - ${e.text}`),
  'nginx-access': headed(() => `%{client} - - [%{time:access}] ${request} "%{referer}" "%{agent}"`),
  'nginx-error': headed(
    (e) => `%{time:slashes} [${NGINX[e.level]}] %{number:20-40}#%{number:20-40}: *%{digits:6} ${e.text}`,
  ),
  syslog: headed((e) => `%{time:syslog} %{host} %{app}[%{digits:4}]: ${e.text}`),
  syslog5424: headed(
    (e) => `<${PRIORITY[e.level]}>1 %{time:micro} %{host} %{service} %{digits:4} ID%{number:1-90} - ${e.text}`,
  ),
  klog: headed((e) => `${LETTER[e.level]}%{time:klog} %{digits:7} %{gofile}:%{number:20-900}] ${e.text}`),
  zap: structured((e) => ({
    level: e.level,
    ts: '#%{time:epoch}',
    caller: '%{component}/%{gofile}:%{number:20-900}',
    msg: e.text,
  })),
  pino: structured((e) => ({
    level: PINO[e.level],
    time: '#%{time:epochMillis}',
    pid: '#%{digits:3}',
    hostname: '%{pod}',
    reqId: 'req-%{hex:6}',
    msg: e.text,
  })),
  logrus: structured((e) => ({ component: '%{component}', level: e.level, msg: e.text, time: '%{time:second}' })),
  logfmt: headed(
    (e) =>
      `time=%{time:milli} level=${e.level} component=%{component} msg=${JSON.stringify(e.text)} caller=%{gofile}:%{number:20-900}`,
  ),
  postgres: headed((e) => `%{time:space} UTC [%{digits:5}] ${POSTGRES[e.level]}:  ${e.text}`),
  redis: headed((e) => `1:M %{time:redis} ${REDIS[e.level]} ${e.text}`),
  epoch: headed((e) => `%{time:epoch} ${e.level} %{service}: ${e.text}`),
} as const satisfies Record<string, Format>

/** Lines of all programs, as an agent on a node reads them. The list goes from common to rare. */
const MIXTURE: readonly Format[] = [
  PROGRAMS.zap,
  PROGRAMS['nginx-access'],
  PROGRAMS.logfmt,
  PROGRAMS.klog,
  PROGRAMS.log4j,
  PROGRAMS.pino,
  PROGRAMS.python,
  PROGRAMS.postgres,
  PROGRAMS.kafka,
  PROGRAMS.logrus,
  PROGRAMS['nginx-error'],
  PROGRAMS.redis,
  PROGRAMS.syslog,
  PROGRAMS.syslog5424,
  PROGRAMS.epoch,
]

/** Lines of all programs, each wrapped in the format of a collector. */
function collected(wrap: (line: string) => string): Format {
  return (event, random) => random.skewed(MIXTURE)(event, random).map(wrap)
}

/** Formats of collectors, by name. `rfc3339` is the log of the comparisons with other tools. */
export const COLLECTORS = {
  rfc3339: collected((line) => `%{time:nano} ${line}`),
  cri: collected((line) => `%{time:nano} stdout F ${line}`),
  docker: collected((line) => JSON.stringify({ log: `${line}\n`, stream: 'stdout', time: '%{time:nano}' })),
} as const satisfies Record<string, Format>

export const FAMILIES = { ...COLLECTORS, ...PROGRAMS }

export type FamilyName = keyof typeof FAMILIES
