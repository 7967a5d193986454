/** Rules and a log for tests: two problems, of which one fires twice. */
export const RULES = `rules:
  - cre: {id: TEST-0001, severity: 2, title: Disk full}
    metadata: {id: 8Vx2aTfbHXQxKd, hash: Qm3aTfbHXQxKd1}
    rule: {set: {event: {source: cre.log.test}, match: [disk full]}}
  - cre: {id: TEST-0002, severity: 0}
    rule: {sequence: {event: {source: cre.log.test}, window: 10s, order: [begin, end]}}
`

export const LOG = `2026-03-01T12:00:01Z disk full
2026-03-01T12:00:02.5Z begin
2026-03-01T12:00:03Z disk full again
2026-03-01T12:00:04Z end
`
