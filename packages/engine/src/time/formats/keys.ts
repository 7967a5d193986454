import { type FormatRow, RANK } from './row.js'

const ISO = '2006{[-/.]}01{[-/.]}02{[T _]}15:04:05{frac}{zone}{end}'
const ACCESS = '02/Jan/2006:15:04:05{frac}{zone}{end}'
const NAMED = '{[A-Za-z, ]*}2 Jan 2006 15:04:05{frac}{zone}{end}'

/** A value in any of the ways that programs write it. */
const LOGFMT_VALUE = [`{["']?}${ISO}`, '{["]?}{epoch}{wordend}', `{["]?}${ACCESS}`]
const JSON_COLON = '{[ ]*}:{[ ]*}'
const JSON_VALUE = [
  `${JSON_COLON}{["]?}${ISO}`,
  `${JSON_COLON}{["]?}{epoch}{wordend}`,
  `${JSON_COLON}"${ACCESS}`,
  `${JSON_COLON}"${NAMED}`,
  `${JSON_COLON}"{[\\]?}/Date({epoch}{wordend}`,
]

function logfmt(key: string, rank: number): FormatRow {
  return {
    name: `logfmt-${key}`,
    example: `level=error ${key}=2026-03-01T12:00:01.5Z msg="no"`,
    expected: '2026-03-01T12:00:01.5Z',
    at: { after: `${key}=` },
    layout: LOGFMT_VALUE,
    rank,
  }
}

function json(key: string, rank: number, value = '"2026-03-01 12:00:01,250"'): FormatRow {
  return {
    name: `json-${key}`,
    example: `{"level":"error","${key}":${value},"msg":"no"}`,
    expected: '2026-03-01T12:00:01.25Z',
    at: { after: `"${key}"` },
    layout: JSON_VALUE,
    rank,
  }
}

const ISO_VALUE = '"2026-03-01T12:00:01.25Z"'
const MILLIS = '1772366401250'
const FLOAT = '1772366401.25'

/** Keys whose value is always the time of the entry. */
const MAIN_JSON: readonly FormatRow[] = [
  json('time', RANK.key, MILLIS),
  json('timestamp', RANK.key, ISO_VALUE),
  json('@timestamp', RANK.key, ISO_VALUE),
  json('ts', RANK.key, FLOAT),
  json('t', RANK.key, ISO_VALUE),
  json('@t', RANK.key, ISO_VALUE),
  json('Timestamp', RANK.key, ISO_VALUE),
  json('timeStamp', RANK.key, ISO_VALUE),
  json('Time', RANK.key, ISO_VALUE),
  json('asctime', RANK.key),
  json('datetime', RANK.key),
  json('eventTime', RANK.key, ISO_VALUE),
  json('time_local', RANK.key, '"01/Mar/2026:12:00:01.25 +0000"'),
  json('time_iso8601', RANK.key, ISO_VALUE),
  json('timeMillis', RANK.key, MILLIS),
  json('timeUnixNano', RANK.key, '"1772366401250000000"'),
  json('TimeCreated', RANK.key, '"/Date(1772366401250)/"'),
  json('EdgeStartTimestamp', RANK.key, ISO_VALUE),
  json('__REALTIME_TIMESTAMP', RANK.key, '"1772366401250000"'),
  json('_SOURCE_REALTIME_TIMESTAMP', RANK.key, '"1772366401250000"'),
  {
    name: 'json-date-object',
    example: '{"t":{"$date":"2026-03-01T12:00:01.123+00:00"},"s":"E","msg":"no"}',
    expected: '2026-03-01T12:00:01.123Z',
    at: { after: '"$date"' },
    layout: JSON_VALUE,
    rank: RANK.key,
  },
]

/** Seconds and nanoseconds as two adjacent numbers. */
const JSON_PAIRS: readonly FormatRow[] = [
  ['epochSecond', 'nanoOfSecond'],
  ['seconds', 'nanos'],
  ['timestampSeconds', 'timestampNanos'],
].map(([seconds, nanos]) => ({
  name: `json-${seconds}`,
  example: `{"instant":{"${seconds}":1772366401,"${nanos}":250000000},"level":"INFO"}`,
  expected: '2026-03-01T12:00:01.25Z',
  at: { after: `"${seconds}"` },
  layout: `${JSON_COLON}{seconds}{[ ]*},{[ ]*}"${nanos}"${JSON_COLON}{nanos}`,
  rank: RANK.key,
}))

/** Keys that may hold another time when one of the keys above is present. */
const LESSER_JSON: readonly FormatRow[] = [
  'date',
  'dateTime',
  'date_time',
  'event_time',
  'eventTimestamp',
  'eventtime',
  'log_time',
  'logTime',
  'logged_at',
  'received_at',
  'Datetime',
  'loggedAt',
  '_time',
  '_ts',
  'utc',
  'start_time',
  'startTime',
  'requestReceivedTimestamp',
  'lastTimestamp',
  'created_at',
  'createdAt',
  'created',
  'creationTimestamp',
  'published',
].map((key) => json(key, RANK.lesserKey, ISO_VALUE))

const LOGFMT: readonly FormatRow[] = [
  ...['time', 'ts', 'timestamp', 't', 'datetime', '@timestamp', '__REALTIME_TIMESTAMP'].map((key) =>
    logfmt(key, RANK.anywhere),
  ),
  ...['eventtime', 'date', 'at', 'rt', 'created_at'].map((key) => logfmt(key, RANK.weak)),
  {
    name: 'fortigate',
    example: 'date=2026-03-01 time=12:00:01 devname="fw" logid="1" msg="no"',
    expected: '2026-03-01T12:00:01Z',
    at: { after: 'date=' },
    layout: '{["]?}2006-01-02{["]?}{[, ]+}time={["]?}15:04:05{frac}{end}',
    rank: RANK.key,
  },
]

export const KEYS: readonly FormatRow[] = [...MAIN_JSON, ...JSON_PAIRS, ...LESSER_JSON, ...LOGFMT]
