/**
 * The files of a new rule: a commented document that works, and logs to test it. `schema` is the path of the JSON Schema relative to
 * the document, whose first line refers to it for editors.
 */
export function ruleSkeleton(
  id: string,
  schema?: string,
): Readonly<Record<'rule.yaml' | 'hit.log' | 'miss.log', string>> {
  const modeline = schema === undefined ? '' : `# yaml-language-server: $schema=${schema}\n`
  return { 'rule.yaml': modeline + document(id), 'hit.log': HIT, 'miss.log': MISS }
}

/** Quotes an id that YAML could read as a number or as null. */
function quoteId(id: string): string {
  return /^[A-Za-z]+-/.test(id) ? id : JSON.stringify(id)
}

function document(id: string): string {
  return `# A rule: what the problem is, and how to detect it in a log. It works unchanged; change it step by step and try it:
#
#   omen rules test <this folder>     does it fire on hit.log, but not on miss.log?
#   omen rules lint <this folder>     are there errors or warnings?
#   omen -r <this folder> app.log     what does it find?
rules:
  - cre:
      # At least four letters, digits and hyphens. It must be unique.
      id: ${quoteId(id)}
      # 0 critical, 1 high, 2 medium, 3 low, 4 info
      severity: 2
      # The problem in one line.
      title: Jobs fail repeatedly and the queue does not recover
      category: queue-problem
      tags: [queue, jobs]
      # The following fields are for the engineer who is on call. They are optional, in Markdown.
      description: |
        At least three jobs were given up within five minutes, and the queue was not drained in the next minute.
      impact: |
        Accepted work is not done.
      cause: |
        Usually a dependency of the jobs does not respond.
      mitigation: |
        - See what the jobs wait for: \`kubectl logs deployment/worker --since=10m | grep 'gave up'\`
        - Restart the workers: \`kubectl rollout restart deployment/worker\`
      # references: [https://example.com/runbooks/queue]
      # applications:
      #   - name: worker
      #     version: 2.x
    metadata:
      kind: custom
      # Increase it with every change. The id and hash of the rule are derived.
      gen: 1
    rule:
      # The conditions of a set can be met in any order; those of a sequence (with "order" instead of "match") one after the other.
      set:
        event:
          # The type of data: a rule runs on sources of its type, and on standard input.
          source: cre.log.worker
        # The longest time between the first and the last entry. Omit it if one entry is enough.
        window: 5m
        match:
          # One of: value (a string that the entry contains), regex (RE2 syntax), jq (a filter for entries in JSON).
          - regex: 'worker \\d+: gave up job \\S+ after \\d+ attempts'
            # The number of entries that must match. Omit it for one.
            count: 3
            # Values to report with the problem: the first group of a regex, or the first output of a jq filter.
            extract:
              - name: job
                regex: 'gave up job (\\S+)'
        # Conditions that must not be met: here from the first entry until a minute after the last one.
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
