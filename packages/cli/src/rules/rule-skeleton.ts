/**
 * The files of a new rule: a document that works and says what may be changed, and logs that prove it. `schema` is the path of the
 * JSON Schema as the document sees it: its first line tells editors.
 */
export function ruleSkeleton(
  id: string,
  schema?: string,
): Readonly<Record<'rule.yaml' | 'hit.log' | 'miss.log', string>> {
  const modeline = schema === undefined ? '' : `# yaml-language-server: $schema=${schema}\n`
  return { 'rule.yaml': modeline + document(id), 'hit.log': HIT, 'miss.log': MISS }
}

/** What YAML could take for a number or for nothing stands in quotes. */
function quoted(id: string): string {
  return /^[A-Za-z]+-/.test(id) ? id : JSON.stringify(id)
}

function document(id: string): string {
  return `# A rule: what the problem is, and how it is found in a log. It works as it stands; change it bit by bit and try it:
#
#   omen rules test <this folder>     does it fire on hit.log, and not on miss.log?
#   omen rules lint <this folder>     is anything wrong or unwise?
#   omen -r <this folder> app.log     what does it find?
rules:
  - cre:
      # Letters, digits and hyphens, at least four. No other rule may have it.
      id: ${quoted(id)}
      # 0 critical, 1 high, 2 medium, 3 low, 4 info
      severity: 2
      # The problem in one line.
      title: Jobs fail again and again, and the queue does not recover
      category: queue-problem
      tags: [queue, jobs]
      # From here on: what whoever is woken up should know. Markdown, all of it optional.
      description: |
        Three jobs or more were given up within five minutes, and the queue was not drained in the minute after.
      impact: |
        Work that was accepted is not done.
      cause: |
        Most often something that the jobs depend on does not answer.
      mitigation: |
        - See what the jobs wait for: \`kubectl logs deployment/worker --since=10m | grep 'gave up'\`
        - Start the workers again: \`kubectl rollout restart deployment/worker\`
      # references: [https://example.com/runbooks/queue]
      # applications:
      #   - name: worker
      #     version: 2.x
    metadata:
      kind: custom
      # Raise it with every change. The rule's own id and hash are derived.
      gen: 1
    rule:
      # A set asks for its conditions in any order; a sequence, with "order" in place of "match", one after the other.
      set:
        event:
          # The type of data: rules run on sources of their type, and on everything that is piped in.
          source: cre.log.worker
        # How far apart the first and the last entry may be. Leave it out when one entry is enough.
        window: 5m
        match:
          # One of: value (a text that the entry contains), regex (RE2 syntax), jq (a filter for entries in JSON).
          - regex: 'worker \\d+: gave up job \\S+ after \\d+ attempts'
            # As many entries must match. Leave it out for one.
            count: 3
            # Values to show with the problem: the first group of a regex, or the first output of a jq filter.
            extract:
              - name: job
                regex: 'gave up job (\\S+)'
        # What must not happen: here from the first entry until a minute after the last one.
        negate:
          - value: "queue drained"
            window: 1m
`
}

const HIT = `2026-03-01T12:00:00Z worker 3: started, queue has 41 jobs
2026-03-01T12:00:20Z worker 1: gave up job 7f3a after 5 attempts: connection refused
2026-03-01T12:01:05Z worker 3: gave up job 81c0 after 5 attempts: connection refused
2026-03-01T12:01:30Z worker 2: job 81d4 done in 12 s
2026-03-01T12:02:10Z worker 1: gave up job 9b22 after 5 attempts: connection refused
2026-03-01T12:05:00Z worker 3: queue has 66 jobs
`

const MISS = `2026-03-01T12:00:00Z worker 3: started, queue has 41 jobs
2026-03-01T12:00:20Z worker 1: attempt 2 of job 7f3a failed, trying again
2026-03-01T12:01:05Z worker 3: gave up job 81c0 after 5 attempts: connection refused
2026-03-01T12:02:00Z worker 1: gave up job 81d4 after 5 attempts: connection refused
2026-03-01T12:02:10Z worker 2: gave up job 9b22 after 5 attempts: connection refused
2026-03-01T12:02:40Z queue drained
2026-03-01T12:30:00Z worker 3: gave up job c001 after 5 attempts: connection refused
2026-03-01T12:40:00Z worker 3: gave up job c002 after 5 attempts: connection refused
2026-03-01T12:50:00Z worker 3: gave up job c003 after 5 attempts: connection refused
`
