import { type FormatRow, RANK, rows } from './row.js'

/** Months by name, at the start of a line. */
const SYSLOG = rows('start', RANK.start, [
  ['nextflow', 'Mar-01 12:00:01.123 [main] DEBUG no', '2026-03-01T12:00:01.123Z', 'Jan-02 15:04:05{frac}{end}'],
  ['syslog', 'Jun 14 15:16:01 combo sshd(pam_unix)[19939]: no', '2025-06-14T15:16:01Z', 'Jan _2 15:04:05{frac}{end}'],
  [
    'syslog-priority',
    '<34>Mar  1 12:00:01 web1 app[7]: no',
    '2026-03-01T12:00:01Z',
    '<{[0-9]+}>Jan _2 15:04:05{frac}{end}',
  ],
  [
    'syslog-5424',
    '<34>1 2026-03-01T12:00:01.003Z web1 app 7 - - no',
    '2026-03-01T12:00:01.003Z',
    '<{[0-9]+}>{[1-9]} 2006-01-02T15:04:05{frac}{zone}{end}',
  ],
  [
    'syslog-iso-priority',
    '<34>2026-03-01T12:00:01Z web1 no',
    '2026-03-01T12:00:01Z',
    '<{[0-9]+}>{[ ]*}2006-01-02{[T ]}15:04:05{frac}{zone}{end}',
  ],
  [
    'syslog-year',
    'Mar  1 2026 12:00:01 fw : %ASA-6-302013: no',
    '2026-03-01T12:00:01Z',
    'Jan _2{[, ]+}2006{[, ]+}15:04:05{frac}{zone}{end}',
  ],
  [
    'syslog-year-priority',
    '<166>Mar 01 2026 12:00:01: %ASA-6-302013: no',
    '2026-03-01T12:00:01Z',
    '<{[0-9]+}>Jan _2{[, ]+}2006{[, ]+}15:04:05{frac}{zone}{end}',
  ],
  ['syslog-year-last', 'Mar  1 12:00:01 2026 web1 no', '2026-03-01T12:00:01Z', 'Jan _2 15:04:05{frac} 2006{end}'],
  ['cisco', '*Mar  1 12:00:01.123: %LINK-3-UPDOWN: no', '2026-03-01T12:00:01.123Z', '{[*.]}Jan _2 15:04:05{frac}{end}'],
  [
    'cisco-number',
    '000123: *Mar  1 12:00:01.123 UTC: %LINK-3-UPDOWN: no',
    '2026-03-01T12:00:01.123Z',
    '{[0-9]+}: {[*.]?}Jan _2 15:04:05{frac}{zone}{end}',
  ],
  [
    'cisco-number-year',
    '000123: Mar  1 2026 12:00:01.123 UTC: %LINK: no',
    '2026-03-01T12:00:01.123Z',
    '{[0-9]+}: {[*.]?}Jan _2 2006 15:04:05{frac}{zone}{end}',
  ],
  ['bracket-syslog', '[Mar  1 12:00:01] NOTICE[7]: no', '2026-03-01T12:00:01Z', '[Jan _2 15:04:05{frac}{end}'],
])

const CTIME = rows('start', RANK.start, [
  [
    'journalctl-full',
    'Sun 2026-03-01 12:00:01 CET web1 app[7]: no',
    '2026-03-01T11:00:01Z',
    '{[[]?}Mon{[, ]+}2006-01-02{[T ]}15:04:05{frac}{zone}{end}',
  ],
  ['ctime', 'Sun Mar  1 12:00:01 2026 no', '2026-03-01T12:00:01Z', 'Mon Jan _2 15:04:05{frac} 2006{end}'],
  [
    'apache-error',
    '[Sun Dec 04 04:47:44 2005] [notice] no',
    '2005-12-04T04:47:44Z',
    '[Mon Jan _2 15:04:05{frac} 2006]',
  ],
  ['date', 'Sun Mar  1 12:00:01 EST 2026 no', '2026-03-01T17:00:01Z', '{[[]?}Mon Jan _2 15:04:05{frac} MST 2006{end}'],
  [
    'date-am-pm',
    'Sun Mar  1 01:00:01 PM UTC 2026 no',
    '2026-03-01T13:00:01Z',
    '{[[]?}Mon Jan _2 3:04:05{frac} PM {[A-Z]+} 2006{end}',
  ],
  [
    'date-day-first',
    'Sun  1 Mar 13:00:01 UTC 2026 no',
    '2026-03-01T13:00:01Z',
    '{[[]?}Mon _2 Jan 15:04:05{frac} MST 2006{end}',
  ],
  [
    'javascript',
    'Sun Mar 01 2026 12:00:01 GMT+0100 (CET) no',
    '2026-03-01T11:00:01Z',
    '{[[]?}Mon Jan _2 2006{[, ]+}15:04:05{frac}{zone}{end}',
  ],
  [
    'mongodb-2',
    'Sun Mar  1 12:00:01.123 [initandlisten] no',
    '2026-03-01T12:00:01.123Z',
    'Mon Jan _2 15:04:05{frac} {[[]}',
  ],
  [
    'rfc1123',
    'Sun, 01 Mar 2026 12:00:01 GMT no',
    '2026-03-01T12:00:01Z',
    '{[[]?}Mon, _2{[ -]}Jan{[ -]}2006 15:04:05{frac}{zone}{end}',
  ],
  [
    'rfc850',
    'Sunday, 01-Mar-26 12:00:01 GMT no',
    '2026-03-01T12:00:01Z',
    '{[[]?}Monday, 02-Jan-06 15:04:05{frac}{zone}{end}',
  ],
])

const DAY_MONTH_YEAR = rows('start', RANK.start, [
  [
    'weekday-month',
    'Sunday, March 1, 2026 1:00:01 PM no',
    '2026-03-01T13:00:01Z',
    '{[[]?}Monday, January 2, 2006{[, ]+}3:04:05{frac}{[ ]*}PM{zone}{wordend}',
  ],
  [
    'tomcat',
    '01-Mar-2026 12:00:01.123 INFO [main] no',
    '2026-03-01T12:00:01.123Z',
    '2-Jan-2006{[ :T]}15:04:05{frac}{zone}{end}',
  ],
  [
    'php',
    '[01-Mar-2026 12:00:01 UTC] PHP Warning:  no',
    '2026-03-01T12:00:01Z',
    '[2-Jan-2006{[ :T]}15:04:05{frac}{zone}{end}',
  ],
  [
    'oracle',
    '01-MAR-26 01.00.01.123456 PM no',
    '2026-03-01T13:00:01.123456Z',
    '2-Jan-06 03{[.:]}04{[.:]}05{frac} PM{zone}{wordend}',
  ],
  [
    'day-month',
    '01 Mar 2026 12:00:01,123 INFO no',
    '2026-03-01T12:00:01.123Z',
    '{[[("]?}2 January{[, ]+}2006{[, ]+}{hour}:04:05{frac}{zone}{end}',
  ],
  ['day-month-no-year', '01 Mar 12:00:01.123 no', '2026-03-01T12:00:01.123Z', '{[[]?}2 Jan 15:04:05{frac}{zone}{end}'],
  [
    'access-at-start',
    '01/Mar/2026:12:00:01 +0000 no',
    '2026-03-01T12:00:01Z',
    '{["]?}2/Jan/2006{[ :]}15:04:05{frac}{zone}{end}',
  ],
  [
    'year-month',
    '2026 Mar 01 12:00:01.5 no',
    '2026-03-01T12:00:01.5Z',
    '{[[]?}2006{[ -]}Jan{[ -]}02{[T ]}15:04:05{frac}{zone}{end}',
  ],
  [
    'java-util-logging',
    'Mar 01, 2026 1:00:01 PM com.example.Main main',
    '2026-03-01T13:00:01Z',
    '{[[<"]?}January _2, 2006{[, ]+}3:04:05{frac}{[ ]*}PM{zone}{wordend}',
  ],
  [
    'month-day-year',
    '[March 1, 2026 13:00:01] no',
    '2026-03-01T13:00:01Z',
    '{[[<"]?}January _2, 2006{[, ]+}{hour}:04:05{frac}{zone}{end}',
  ],
  [
    'weblogic',
    '####<Mar 1, 2026 1:00:01,123 PM UTC> <Notice> no',
    '2026-03-01T13:00:01.123Z',
    '####<Jan _2, 2006{[, ]+}3:04:05{frac} PM{zone}{wordend}',
  ],
])

const AFTER_A_BRACKET = rows({ after: '[' }, RANK.start, [
  [
    'access',
    '10.0.0.1 - bob [01/Mar/2026:12:00:01 -0500] "GET / HTTP/1.1" 200 12',
    '2026-03-01T17:00:01Z',
    '02/Jan/2006:15:04:05{frac}{zone}{end}',
  ],
  [
    'uwsgi',
    '10.0.0.1 () {36 vars} [Sun Mar  1 12:00:01 2026] GET / => no',
    '2026-03-01T12:00:01Z',
    'Mon Jan _2 15:04:05{frac} 2006]',
  ],
])

export const NAMES: readonly FormatRow[] = [...SYSLOG, ...CTIME, ...DAY_MONTH_YEAR, ...AFTER_A_BRACKET]
