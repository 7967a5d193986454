import { createRandom } from './random.js'

/** Words that are as common in logs as in the phrases, so that a filter cannot distinguish them by a rare letter. */
const FIRST = `replica partition session consumer broker snapshot segment checkpoint token lease shard follower
  transaction listener scheduler cluster certificate volume endpoint journal manifest keyspace subscription watermark
  bootstrap coordinator failover memtable quorum tombstone compaction heartbeat registry resolver throttle`.split(/\s+/)
const MIDDLE = `state request write read commit response header index buffer offset metadata descriptor queue handle
  membership rotation allocation negotiation replay recovery handoff digest prefetch routing signature backlog`.split(
  /\s+/,
)
const LAST = `rejected overflow mismatch expired corrupted refused aborted stalled diverged exhausted truncated
  unreachable poisoned deadlocked orphaned revoked underflow malformed unsatisfiable unavailable`.split(/\s+/)
const TAIL = ['by peer', 'by arbiter', 'during recovery', 'after failover', 'on standby']

const SEED = 20_260_301

/**
 * The first `count` phrases of the word list: two to four words each, like an error message, all different.
 * A longer list begins with the shorter one.
 *
 * ```ts
 * wordPhrases(1) // ['shard signature rejected']
 * ```
 */
export function wordPhrases(count: number): readonly string[] {
  const random = createRandom(SEED)
  const phrases = new Set<string>()
  while (phrases.size < count) {
    const words = [random.pick(FIRST)]
    if (random.below(5) > 0) words.push(random.pick(MIDDLE))
    words.push(random.pick(LAST))
    if (words.length === 2 && random.below(4) === 0) words.push(random.pick(TAIL))
    phrases.add(words.join(' '))
  }
  return [...phrases]
}

/**
 * A rule document in YAML with one rule for each of `count` phrases. Three of four are literals; the fourth, if it has enough
 * words, is a regular expression that allows any word before its last one.
 */
export function wordRules(count: number): string {
  const rules = wordPhrases(count).map((phrase, i) => {
    const id = `BENCH-WORDS-${String(i + 1).padStart(5, '0')}`
    const cre = { id, severity: i % 5, title: `Phrase ${i + 1}`, category: 'benchmark-problem' }
    return `  - ${JSON.stringify({ cre, rule: { set: { event: { source: 'cre.log.bench' }, match: [term(phrase, i)] } } })}`
  })
  return `rules:\n${rules.join('\n')}\n`
}

function term(phrase: string, index: number): { value: string } | { regex: string } {
  const words = phrase.split(' ')
  if (index % 4 !== 3 || words.length < 3) return { value: phrase }
  return { regex: `${words.slice(0, -1).join(' ')}.*${words.at(-1)}` }
}
