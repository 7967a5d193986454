import { type FormatRow, RANK, rows } from './row.js'

/** Formats of one program or one kind of logger, at the start of a line. */
const AT_START = rows('start', RANK.start, [
  [
    'redis',
    '1:M 01 Mar 2026 12:00:01.123 * no',
    '2026-03-01T12:00:01.123Z',
    '{[0-9]+}:{[A-Z]} 02 Jan 2006 15:04:05{frac}{end}',
  ],
  ['redis-2', '[4018] 01 Mar 12:00:01.123 * no', '2026-03-01T12:00:01.123Z', '[{[0-9]+}] 02 Jan 15:04:05{frac}{end}'],
  [
    'nats',
    '[1] 2026/03/01 12:00:01.502311 [INF] no',
    '2026-03-01T12:00:01.502311Z',
    '[{[0-9]+}] 2006/01/02 15:04:05{frac}{end}',
  ],
  ['unreal', '[2026.03.01-12.00.01:123][  0]LogInit: no', '2026-03-01T12:00:01.123Z', '[2006.01.02-15.04.05{frac:}]'],
  ['tornado', '[I 260301 12:00:01 web:2064] no', '2026-03-01T12:00:01Z', '[{[A-Z]} 060102 15:04:05{frac}{end}'],
  ['mysql-slow', '# Time: 260301  9:05:01', '2026-03-01T09:05:01Z', '# Time: 060102 {hour}:04:05{end}'],
  ['tai64n', '@4000000069a42a4b1dcd6500 no', '2026-03-01T12:00:01.5Z', '@{tai}{wordend}'],
  [
    'ruby',
    'I, [2026-03-01T12:00:01.123456 #7]  INFO -- : no',
    '2026-03-01T12:00:01.123456Z',
    '{[A-Z]}, [2006-01-02T15:04:05{frac}{zone}{end}',
  ],
  [
    'erlang',
    '=ERROR REPORT==== 1-Mar-2026::12:00:01.123456 ===',
    '2026-03-01T12:00:01.123456Z',
    '={[A-Z ]+}={[=]+} 2-Jan-2006::15:04:05{frac}{end}',
  ],
  [
    'oracle-xml',
    "<msg time='2026-03-01T12:00:01.123+00:00' org_id='oracle'",
    '2026-03-01T12:00:01.123Z',
    "<msg time='2006-01-02T15:04:05{frac}{zone}{end}",
  ],
  [
    'windows-event-xml',
    '<TimeCreated SystemTime="2026-03-01T12:00:01.123Z"/>',
    '2026-03-01T12:00:01.123Z',
    '<TimeCreated SystemTime="2006-01-02T15:04:05{frac}{zone}{end}',
  ],
  [
    'level-bracket-iso',
    '[INFO] [2026-03-01 12:00:01,123] no',
    '2026-03-01T12:00:01.123Z',
    '[{[A-Za-z ]+}]{[ ]*}{[[]?}2006{[-/]}01{[-/]}02{[T ]}15:04:05{frac}{zone}{end}',
  ],
])

/** A level before the time. */
const AFTER_A_LEVEL: readonly FormatRow[] = rows('start', RANK.start, [
  [
    'level-iso',
    'INFO: 2026-03-01 12:00:01,123 no',
    '2026-03-01T12:00:01.123Z',
    '{[A-Za-z]+}{[:|]}{[ ]*}2006{[-/]}01{[-/]}02{[T ]}15:04:05{frac}{zone}{end}',
  ],
]).map((row) => ({ ...row, lead: 'level' }))

/** Seconds since 1970 where a log is known to have them. */
const EPOCHS: readonly FormatRow[] = [
  ...rows({ tokens: 1 }, RANK.start, [
    [
      'bgl',
      'APPREAD 1117869872 2005.06.04 R04-M1-N4-I:J18-U11 no',
      '2005-06-04T07:24:32Z',
      '{epoch} {[0-9]+}.{[0-9]+}.{[0-9]+} ',
    ],
  ]),
  ...rows({ tokens: 4 }, RANK.weak, [
    [
      'hpc',
      '134681 node-246 unix.hw state_change.unavailable 1077804742 1 no',
      '2004-02-26T14:12:22Z',
      '{seconds} {[-]?}{[0-9]+} ',
    ],
  ]),
  ...rows({ tokens: 10 }, RANK.weak, [
    [
      'vpc-flow',
      '2 123456789010 eni-1 10.0.0.1 10.0.0.2 20641 22 6 20 4249 1772366401 1772366461 ACCEPT OK',
      '2026-03-01T12:00:01Z',
      '{seconds} {[0-9]+} ',
    ],
  ]),
  ...rows({ after: 'audit(' }, RANK.key, [
    ['audit', 'type=SYSCALL msg=audit(1772366401.123:456): no', '2026-03-01T12:00:01.123Z', '{epoch}:'],
  ]),
  ...rows('start', RANK.weak, [
    ['history', '#+1772366401', '2026-03-01T12:00:01Z', '{[#:]}{[+ ]?}{epoch}{wordend}'],
    ['epoch', '1772366401.000000500 no', '2026-03-01T12:00:01.0000005Z', '{epoch}{wordend}'],
    ['epoch-bracket', '[1772366401] SERVICE ALERT: no', '2026-03-01T12:00:01Z', '{[[("<@]}{epoch}{wordend}'],
  ]),
]

/** A clock without a date: the day is the last one that fits. */
const CLOCKS = rows('start', RANK.weak, [
  [
    'clock',
    '12:00:01.123 [main] INFO  com.example.Main - no',
    '2026-04-09T12:00:01.123Z',
    '{[[(]?}15:04:05{frac}{wordend}',
  ],
  ['clock-am-pm', '1:00:01.5 PM INFO no', '2026-04-09T13:00:01.5Z', '{[[(]?}3:04:05{frac}{[ ]*}PM{wordend}'],
  [
    'clock-after-letter',
    '[I 12:00:01.123 NotebookApp] no',
    '2026-04-09T12:00:01.123Z',
    '[{[A-Z]} 15:04:05{frac}{wordend}',
  ],
  ['clock-minutes', '1:07PM INF no', '2026-04-09T13:07:00Z', '3:04PM{wordend}'],
])

const MINUTES = rows('start', RANK.weak, [
  [
    'iso-minutes',
    '2026-03-01 12:07 no',
    '2026-03-01T12:07:00Z',
    '{[[]?}2006{[-/.]}01{[-/.]}02{[T ]}15:04{zone}{wordend}',
  ],
])

const IN_COLUMNS = rows({ after: '::' }, RANK.start, [
  [
    'vdsm',
    'Thread-13::DEBUG::2026-03-01 12:00:01,123::vm::1::no',
    '2026-03-01T12:00:01.123Z',
    '2006-01-02{[T ]}15:04:05{frac}{zone}{end}',
  ],
])

export const PROGRAMS: readonly FormatRow[] = [
  ...AT_START,
  ...AFTER_A_LEVEL,
  ...EPOCHS,
  ...CLOCKS,
  ...MINUTES,
  ...IN_COLUMNS,
]
