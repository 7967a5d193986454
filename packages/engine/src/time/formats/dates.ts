import { type FormatRow, RANK, rows } from './row.js'

/** Container runtimes, and RFC 3339 before a message. */
const CONTAINERS: readonly FormatRow[] = [
  {
    name: 'docker',
    example: '{"log":"first thing\\n","stream":"stdout","time":"2026-03-01T12:00:01.5Z"}',
    expected: '2026-03-01T12:00:01.5Z',
    at: 'start',
    layout: '2006-01-02T15:04:05{dotfrac}{rfc3339zone}',
    rank: RANK.container,
    text: 'docker',
  },
  {
    name: 'cri',
    example: '2026-03-01T12:00:01.5Z stdout F first thing',
    expected: '2026-03-01T12:00:01.5Z',
    at: 'start',
    layout: '2006-01-02T15:04:05{dotfrac}{rfc3339zone}',
    rank: RANK.container,
    text: 'cri',
  },
  {
    name: 'rfc3339',
    example: '2026-03-01T12:00:01+02:00 first thing',
    expected: '2026-03-01T10:00:01Z',
    at: 'start',
    layout: '2006-01-02T15:04:05{dotfrac}{rfc3339zone}',
    rank: RANK.rfc3339,
    text: 'rest',
  },
]

/** Dates in numbers at the start of a line. */
const NUMBERS = rows('start', RANK.start, [
  [
    'iso-am-pm',
    '2026-03-01 01:00:01.5 PM no',
    '2026-03-01T13:00:01.5Z',
    '{[[("]?}2006{[-/.]}01{[-/.]}02{[T ]}{[ ]*}3:04:05{frac}{[ ]*}PM{zone}{wordend}',
  ],
  [
    'iso',
    '2026-03-01 12:00:01,123 ERROR [main] no',
    '2026-03-01T12:00:01.123Z',
    '2006-01-02 15:04:05{frac}{zone}{end}',
  ],
  ['iso-t', '2026-03-01T12:00:01,123 WARN no', '2026-03-01T12:00:01.123Z', '2006-01-02T15:04:05{frac}{zone}{end}'],
  [
    'iso-bracket',
    '[2026-03-01 12:00:01,5] ERROR no',
    '2026-03-01T12:00:01.5Z',
    '[2006-01-02 15:04:05{frac}{zone}{end}',
  ],
  [
    'iso-t-bracket',
    '[2026-03-01T12:00:01.123+0100][info][gc] no',
    '2026-03-01T11:00:01.123Z',
    '[2006-01-02T15:04:05{frac}{zone}{end}',
  ],
  ['iso-parenthesis', '(2026-03-01 12:00:01) no', '2026-03-01T12:00:01Z', '(2006-01-02 15:04:05{frac}{zone}{end}'],
  [
    'iso-quoted',
    '"2026-03-01 12:00:01.25","no"',
    '2026-03-01T12:00:01.25Z',
    '"2006-01-02{[T ]}15:04:05{frac}{zone}{end}',
  ],
  ['iso-comma', '2016-09-28 04:30:30, Info   CBS    no', '2016-09-28T04:30:30Z', '2006-01-02 15:04:05, {end}'],
  [
    'iso-two-columns',
    '2026-03-01, 12:00:01.5, no',
    '2026-03-01T12:00:01.5Z',
    '2006-01-02{[,;|\t]+}{[ ]*}15:04:05{frac}{zone}{end}',
  ],
  [
    'iso-two-brackets',
    '[2026-03-01] [12:00:01.5] no',
    '2026-03-01T12:00:01.5Z',
    '[2006-01-02]{[ ]*}[15:04:05{frac}{zone}{end}',
  ],
  [
    'ideographs',
    '2026年03月01日 12:00:01 no',
    '2026-03-01T12:00:01Z',
    '{[[]?}2006年1月2日{[ ]*}{hour}:04:05{frac}{end}',
  ],
  ['iso-underscore', '2026-03-01_12:00:01.5 no', '2026-03-01T12:00:01.5Z', '2006-01-02_15:04:05{frac}{zone}{end}'],
  ['iso-dash', '2026-03-01-12:00:01.5 no', '2026-03-01T12:00:01.5Z', '2006-01-02-15:04:05{frac}{zone}{end}'],
  ['db2', '2005-06-03-15.42.50.363779 no', '2005-06-03T15:42:50.363779Z', '2006-01-02{[ -]}15.04.05{frac}{zone}{end}'],
  ['slashes', '2026/03/01 12:00:01.000250 no', '2026-03-01T12:00:01.00025Z', '2006/01/02 15:04:05{frac}{zone}{end}'],
  ['slashes-t', '2026/03/01T12:00:01 no', '2026-03-01T12:00:01Z', '2006/01/02{[T:_-]}15:04:05{frac}{zone}{end}'],
  [
    'slashes-bracket',
    '[2026/03/01 12:00:01.25,  0] no',
    '2026-03-01T12:00:01.25Z',
    '[2006/01/02{[T: ]}15:04:05{frac}{zone}{end}',
  ],
  [
    'dots',
    '2026.03.01 12:00:01.123456 [ 1 ] {} <Error> no',
    '2026-03-01T12:00:01.123456Z',
    '{[[]?}2006.01.02{[T ]}15:04:05{frac}{zone}{end}',
  ],
  [
    'iso-loose',
    '2026-3-1 9:05:01 no',
    '2026-03-01T09:05:01Z',
    '{[[("<]?}2006{[-/.]}1{[-/.]}2{[T ]}{[ ]*}{hour}:4:5{frac}{zone}{end}',
  ],
  ['ordinal', '2026-060T12:00:01Z no', '2026-03-01T12:00:01Z', '{[[]?}2006{[-/.]?}002{[T ]}15:04:05{frac}{zone}{end}'],
  ['compact', '20260301T120001Z no', '2026-03-01T12:00:01Z', '{[[]?}20060102T150405{frac}{zone}{end}'],
  ['compact-blank', '20260301 120001.5 no', '2026-03-01T12:00:01.5Z', '{[[]?}20060102{[ _-]}150405{frac}{zone}{end}'],
  [
    'compact-colons',
    '20171224-0:58:53:985|Step_LSC|30002312|no',
    '2017-12-24T00:58:53.985Z',
    '{[[]?}20060102{[T _-]}{hour}:4:5:{millis}{wordend}',
  ],
  [
    'compact-date',
    '20260301 12:00:01.123 no',
    '2026-03-01T12:00:01.123Z',
    '{[[]?}20060102{[T _-]}{hour}:4:5{frac}{zone}{end}',
  ],
  ['compact-digits', '20260301120001123 no', '2026-03-01T12:00:01.123Z', '{[[]?}20060102150405{digits}{wordend}'],
  ['hdfs', '081109 203518 143 INFO no', '2008-11-09T20:35:18Z', '060102 150405{wordend}'],
  ['mysql', '260301  9:05:01 [Note] no', '2026-03-01T09:05:01Z', '060102 {hour}:04:05{end}'],
  ['spark', '17/06/09 20:10:40 INFO no', '2017-06-09T20:10:40Z', '{[[]?}06/01/02 15:04:05{frac}{zone}{end}'],
  ['short-iso', '26-03-01 12:00:01.5 no', '2026-03-01T12:00:01.5Z', '{[[]?}06-01-02 15:04:05{frac}{zone}{end}'],
])

/** The month or the day precedes the year. Where both are possible, the first ones are more common. */
const YEAR_LAST = rows('start', RANK.start, [
  [
    'splunk',
    '03-01-2026 12:00:01.123 +0000 INFO no',
    '2026-03-01T12:00:01.123Z',
    '01-02-2006 15:04:05.{digits} -0700 {[A-Z]+}{wordend}',
  ],
  [
    'us-am-pm',
    '03/01/2026 01:00:01 PM no',
    '2026-03-01T13:00:01Z',
    '{[["]?}1/2/2006{[, ]+}3:04:05{frac}{[ ]*}PM{zone}{wordend}',
  ],
  [
    'us-am-pm-short',
    '3/1/26 1:00:01.5 PM no',
    '2026-03-01T13:00:01.5Z',
    '{[["]?}1/2/06{[, ]+}3:04:05{frac}{[ ]*}PM{zone}{wordend}',
  ],
  [
    'day-first-am-pm',
    '31/03/2026 01:00:01 PM no',
    '2026-03-31T13:00:01Z',
    '{[["]?}2/1/2006{[, ]+}3:04:05{frac}{[ ]*}PM{zone}{wordend}',
  ],
  ['us', '03/01/2026 13:00:01.5 no', '2026-03-01T13:00:01.5Z', '{[["]?}1/2/2006{[, -]+}{hour}:04:05{frac}{zone}{end}'],
  ['us-colon', '03/01/2026:13:00:01 no', '2026-03-01T13:00:01Z', '{[[]?}01/02/2006:15:04:05{frac}{zone}{end}'],
  [
    'day-first-dots',
    '01.03.2026 13:00:01,5 no',
    '2026-03-01T13:00:01.5Z',
    '{[["]?}2.1.2006{[, ]+}{hour}:04:05{frac}{zone}{end}',
  ],
  [
    'day-first-dashes',
    '01-03-2026 13:00:01 no',
    '2026-03-01T13:00:01Z',
    '{[["]?}2-1-2006{[T ]}{hour}:04:05{frac}{zone}{end}',
  ],
  [
    'day-first',
    '31/03/2026 13:00:01 no',
    '2026-03-31T13:00:01Z',
    '{[["]?}2/1/2006{[, -]+}{hour}:04:05{frac}{zone}{end}',
  ],
  ['us-dashes', '03-31-2026 13:00:01 no', '2026-03-31T13:00:01Z', '{[["]?}1-2-2006{[T ]}{hour}:04:05{frac}{zone}{end}'],
  [
    'websphere',
    '[3/1/26 13:00:01:123 UTC] 0000001 no',
    '2026-03-01T13:00:01.123Z',
    '{[[]?}1/2/06 {hour}:04:05{frac:}{zone}{end}',
  ],
  [
    'day-first-short',
    '[31/3/26 13:00:01:123 UTC] 0000001 no',
    '2026-03-31T13:00:01.123Z',
    '{[[]?}2/1/06 {hour}:04:05{frac:}{zone}{end}',
  ],
  ['us-short-dashes', '03-31-26 13:00:01 no', '2026-03-31T13:00:01Z', '{[[]?}01-02-06 15:04:05{frac}{zone}{end}'],
])

/** No year at all. */
const NO_YEAR = rows('start', RANK.start, [
  ['chromium', '[0301/120001.123456:ERROR:gpu.cc(7)] no', '2026-03-01T12:00:01.123456Z', '[0102/150405{frac}:'],
  [
    'chromium-process',
    '[4242:7:0301/120001.123456:ERROR:gpu.cc(7)] no',
    '2026-03-01T12:00:01.123456Z',
    '[{[0-9]+}:{[0-9]+}:0102/150405{frac}:',
  ],
  [
    'android',
    '03-01 12:00:01.123  1702  2395 D WindowManager: no',
    '2026-03-01T12:00:01.123Z',
    '01-02 15:04:05{frac}{end}',
  ],
  [
    'android-long',
    '[ 03-01 12:00:01.123  1702: 2395 D/Tag ]',
    '2026-03-01T12:00:01.123Z',
    '[{[ ]*}01-02 15:04:05{frac}{end}',
  ],
  ['proxifier', '[10.30 16:49:06] chrome.exe - no', '2025-10-30T16:49:06Z', '[01.02 15:04:05{frac}{end}'],
  ['slashes-no-year', '03/01 12:00:01.123 no', '2026-03-01T12:00:01.123Z', '{[[]?}01/02{[ -]}15:04:05{frac}{end}'],
  [
    'klog',
    'E0301 12:00:01.123456       1 reflector.go:138] no',
    '2026-03-01T12:00:01.123456Z',
    '{[IWEFDV]}0102 15:04:05{frac}{end}',
  ],
  [
    'glog-year',
    'E20260301 12:00:01.123456  1 main.cc:7] no',
    '2026-03-01T12:00:01.123456Z',
    '{[IWEFDV]}20060102 15:04:05{frac}{end}',
  ],
])

export const DATES: readonly FormatRow[] = [...CONTAINERS, ...NUMBERS, ...YEAR_LAST, ...NO_YEAR]
