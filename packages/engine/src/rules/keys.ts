/** The type of a key's value. `prose` is Markdown; there, a list of strings is a Markdown list. */
export type KeyType =
  | 'text'
  | 'prose'
  | 'texts'
  | 'number'
  | 'integer'
  | 'boolean'
  | 'duration'
  | 'map'
  | 'maps'
  | 'terms'
  | 'named-terms'
  | 'any'

/** One key of the rule language. */
export interface KnownKey {
  readonly type: KeyType
  readonly about: string
  /** The place in `KEYS` that describes the map, or the maps of the list. */
  readonly of?: KeyPlace
  readonly required?: true
  /** Only in negate lists, and in named terms that are used in one. */
  readonly negateOnly?: true
  /** Recognised, so that the message can name it as unsupported. */
  readonly unsupported?: true
}

export type KeyPlace =
  | 'document'
  | 'footer'
  | 'entry'
  | 'cre'
  | 'application'
  | 'metadata'
  | 'rule'
  | 'set'
  | 'sequence'
  | 'event'
  | 'term'
  | 'extract'

type Keys = Readonly<Record<string, KnownKey>>

const GROUP = {
  event: { type: 'map', of: 'event', required: true, about: 'which data the rule is about' },
  window: { type: 'duration', about: 'how far apart the first and the last entry may be' },
  negate: { type: 'terms', of: 'term', about: 'conditions that must not be met' },
  correlations: { type: 'texts', unsupported: true, about: 'values that all entries must share' },
} satisfies Keys

/** The rule language as data: which key is allowed where. Messages, `rules lint` and the JSON Schema are made from it. */
export const KEYS = {
  document: {
    rules: { type: 'maps', of: 'entry', about: 'the rules' },
    terms: { type: 'named-terms', of: 'term', about: 'conditions shared by rules, by name' },
    section: { type: 'text', about: 'version, for the footer of a package' },
    content: { type: 'maps', of: 'footer', about: 'what the section holds' },
  },
  footer: {
    version: { type: 'text', required: true, about: 'the version of the package' },
  },
  entry: {
    cre: { type: 'map', of: 'cre', required: true, about: 'what the problem is' },
    metadata: { type: 'map', of: 'metadata', about: 'which rule this is' },
    rule: { type: 'map', of: 'rule', required: true, about: 'how the problem is found' },
  },
  cre: {
    id: { type: 'text', required: true, about: 'letters, digits and hyphens, at least four' },
    severity: { type: 'integer', about: '0 critical, 1 high, 2 medium, 3 low, 4 info' },
    title: { type: 'text', about: 'the problem in one line' },
    category: { type: 'text', about: 'the family of problems' },
    tags: { type: 'texts', about: 'search words' },
    author: { type: 'text', about: 'who wrote the rule' },
    description: { type: 'prose', about: 'the problem at length, in Markdown' },
    impact: { type: 'prose', about: 'what it does to users' },
    impactScore: { type: 'number', about: 'how bad that is, from 0 to 10' },
    cause: { type: 'prose', about: 'why it happens' },
    mitigation: { type: 'prose', about: 'what to do' },
    mitigationScore: { type: 'number', about: 'how hard that is, from 0 to 10' },
    references: { type: 'texts', about: 'where to read more' },
    reports: { type: 'number', about: 'how often it was reported' },
    applications: { type: 'maps', of: 'application', about: 'what it happens in' },
  },
  application: {
    name: { type: 'text', required: true, about: 'the name of the application' },
    version: { type: 'text', about: 'the versions concerned, such as 3.x' },
    processName: { type: 'text', about: 'the name of its process' },
    processPath: { type: 'text', about: 'the path of its program' },
    containerName: { type: 'text', about: 'the name of its container' },
    imageUrl: { type: 'text', about: 'its container image' },
    repoUrl: { type: 'text', about: 'its source code' },
  },
  metadata: {
    id: { type: 'text', about: 'the id of the rule, base58' },
    hash: { type: 'text', about: 'the hash of the rule, base58' },
    generation: { type: 'integer', about: 'counts the versions of the rule' },
    gen: { type: 'integer', about: 'short for generation' },
    kind: { type: 'text', about: 'where the rule comes from' },
    version: { type: 'text', about: 'the version of the rule' },
    name: { type: 'text', about: 'a name for the rule' },
  },
  rule: {
    set: { type: 'map', of: 'set', about: 'conditions in any order' },
    sequence: { type: 'map', of: 'sequence', about: 'conditions one after the other' },
  },
  set: {
    ...GROUP,
    match: { type: 'terms', of: 'term', required: true, about: 'the conditions' },
  },
  sequence: {
    ...GROUP,
    order: { type: 'terms', of: 'term', required: true, about: 'the conditions, in their order' },
    origin: { type: 'boolean', about: 'a note for readers: where the problem starts' },
  },
  event: {
    source: { type: 'text', required: true, about: 'the type of data, such as cre.log.kafka' },
    origin: { type: 'boolean', about: 'a note for readers: where the problem starts' },
  },
  term: {
    value: { type: 'text', about: 'a literal, or the name of a term' },
    regex: { type: 'text', about: 'a regular expression in RE2 syntax' },
    jq: { type: 'text', about: 'a jq filter' },
    set: { type: 'any', unsupported: true, about: 'a nested set' },
    sequence: { type: 'any', unsupported: true, about: 'a nested sequence' },
    promql: { type: 'any', unsupported: true, about: 'a metrics query' },
    script: { type: 'any', unsupported: true, about: 'a program' },
    count: { type: 'integer', about: 'how many entries must meet the condition' },
    field: { type: 'text', about: 'a note for readers' },
    extract: { type: 'maps', of: 'extract', about: 'values to take from the entries' },
    window: { type: 'duration', negateOnly: true, about: 'how long nothing may follow the last entry' },
    slide: { type: 'duration', negateOnly: true, about: 'moves the start of that time' },
    anchor: { type: 'integer', negateOnly: true, about: 'the positive condition that the time starts from' },
    absolute: { type: 'boolean', negateOnly: true, about: 'window is the whole time' },
  },
  extract: {
    name: { type: 'text', required: true, about: 'the name of the value' },
    regex: { type: 'text', about: 'takes its first group, or the whole match' },
    jq: { type: 'text', about: 'takes its first output' },
  },
} satisfies Readonly<Record<KeyPlace, Keys>>

/** The keys of a map, all as one type. */
export function keysOf(place: KeyPlace): Keys {
  return KEYS[place]
}

/** The name of a key of `cre` in the report: `impactScore` becomes `impact_score`. */
export function reportName(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** A key that every rule document has: at the start of a line, after a dash, or in JSON. */
const RULE_KEY = /(?:^|[{,-])[ \t]*["']?(?:rules|terms|section|cre)["']?\s*:/m

/**
 * Whether a text may be a rule document, by its keys: a folder of rules has other documents too, such as lists of tags. A
 * broken rule document still has them.
 *
 * @example
 * mayHoldRules('symptoms:\n  disk: A disk is full\n') // false
 */
export function mayHoldRules(text: string): boolean {
  return RULE_KEY.test(text)
}
