import { type FormatRow, RANK, rows } from './row.js'

/** How many tokens may precede the time: a file name, a host, a process, a thread, a level, and one more. */
const TOKENS = 6

const OPEN = '{[[(<"\']?}'

/** Times after something else. */
const DATED = rows({ upto: TOKENS }, RANK.anywhere, [
  [
    'iso-after-words',
    'nova-api.log.1.2017-05-16_13:53:08 2017-05-16 00:00:00.008 25746 INFO no',
    '2017-05-16T00:00:00.008Z',
    `${OPEN}2006{[-/.]}01{[-/.]}02{[T _-]}{[ ]*}15:04:05{frac}{zone}{end}`,
  ],
  [
    'syslog-after-words',
    'web1 Mar  1 12:00:01 app[7]: no',
    '2026-03-01T12:00:01Z',
    [`${OPEN}Jan _2 2006 15:04:05{frac}{zone}{end}`, `${OPEN}Jan _2 15:04:05{frac}{end}`],
  ],
  [
    'ctime-after-words',
    'worker-1  | Sun Mar  1 12:00:01 2026 no',
    '2026-03-01T12:00:01Z',
    `${OPEN}Mon Jan _2 15:04:05{frac} 2006{end}`,
  ],
  [
    'rfc1123-after-words',
    'Date: Sun, 01 Mar 2026 12:00:01 +0100 no',
    '2026-03-01T11:00:01Z',
    `${OPEN}Mon, 2 Jan 2006 15:04:05{frac}{zone}{end}`,
  ],
  [
    'us-short-after-words',
    '10,03/01/26,12:00:01,Assign,no',
    '2026-03-01T12:00:01Z',
    `${OPEN}1/2/06{[, ]+}{hour}:04:05{frac}{end}`,
  ],
  [
    'day-month-after-words',
    'worker-1  | 01 Mar 2026 12:00:01.5 no',
    '2026-03-01T12:00:01.5Z',
    `${OPEN}2{[-/ ]}Jan{[-/ ]}2006{[: ]}15:04:05{frac}{zone}{end}`,
  ],
  [
    'klog-after-words',
    'pod-1 manager E0301 12:00:01.123456  1 main.go:7] no',
    '2026-03-01T12:00:01.123456Z',
    '{[IWEFDV]}0102 15:04:05{frac}{end}',
  ],
  [
    'us-after-words',
    'INFO 03/01/2026 13:00:01 no',
    '2026-03-01T13:00:01Z',
    [`${OPEN}1/2/2006 3:04:05{frac} PM{end}`, `${OPEN}1/2/2006 {hour}:04:05{frac}{end}`],
  ],
  [
    'day-first-after-words',
    'INFO 01.03.2026 13:00:01 no',
    '2026-03-01T13:00:01Z',
    `${OPEN}2{[./-]}1{[./-]}2006 {hour}:04:05{frac}{zone}{end}`,
  ],
])

/** A clock without a date says less, so fewer tokens may precede it. */
const CLOCKS = rows({ upto: 3 }, RANK.weak, [
  ['clock-after-words', 'TCF 12:00:01.123: no', '2026-04-09T12:00:01.123Z', `${OPEN}15:04:05{frac}{wordend}`],
])

export const ANYWHERE: readonly FormatRow[] = [...DATED, ...CLOCKS]
