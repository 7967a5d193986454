import type { CompiledRule, CreRecord, Extract } from '../rules/compiled.js'

/** One log entry: a line, or several folded into one. */
export interface Entry {
  /** Nanoseconds since 1970. */
  readonly timestamp: bigint
  /** Decoded when it is first asked for; an entry that is kept in rule state must be asked before it is kept. */
  readonly text: string
  /** Number of its first line in the data, from 1. */
  readonly line: number
}

/** An entry that took part in a detection, inside the engine. */
export interface Hit {
  readonly entry: Entry
  /** The condition that it met: an index into `rule.terms`. */
  readonly term: number
}

/** A rule that fired, inside the engine. The hits stand in the order of the rule's conditions, the oldest of each first. */
export interface Detection {
  readonly rule: CompiledRule
  readonly ruleIndex: number
  readonly hits: readonly Hit[]
}

/** Values taken from entries, by the names that the rule gives them. */
export type Extracted = Readonly<Record<string, string>>

/** One entry of a detection. It can be given to `JSON.stringify`: the timestamp becomes a string of digits. */
export interface PublicHit {
  /** Nanoseconds since 1970. */
  readonly timestamp: bigint
  /** The text, decoded when it is first asked for: read it, or write the hit as JSON, to have it in a copy. */
  readonly entry: string
  /** Number of its first line in the data, from 1. */
  readonly line: number
  /** The file in which the line stands, for whoever reads several files as one: the engine does not know of files. */
  readonly file?: string
  /** What the rule takes from this entry; absent when that is nothing. */
  readonly extracted?: Extracted
}

/** A problem that was found: the rule's description and the entries that show it. */
export interface PublicDetection {
  readonly cre: CreRecord
  readonly ruleId: string
  readonly ruleHash: string
  readonly hits: readonly PublicHit[]
  /** What the rule takes from all hits, the first one that gives a name winning; absent when that is nothing. */
  readonly extracted?: Extracted
}

/** Takes a value from the text of an entry; undefined when there is none. */
export type Extractor = (text: string) => string | undefined

/**
 * Makes the function that turns what the matcher finds into what users of the engine see. `extractorFor` is asked once for
 * every value that a rule takes, when a detection of that rule first needs it.
 *
 * @example
 * ```ts
 * const present = createPresenter(extractorFor)
 * createMatcher(rules, { emit: (detection) => found.push(present(detection)) })
 * ```
 */
export function createPresenter(
  extractorFor: (extract: Extract) => Extractor,
): (detection: Detection) => PublicDetection {
  const extractors = new Map<Extract, Extractor>()

  function take(extract: Extract, text: string): string | undefined {
    let extractor = extractors.get(extract)
    if (extractor === undefined) {
      extractor = extractorFor(extract)
      extractors.set(extract, extractor)
    }
    return extractor(text)
  }

  function present({ entry, term }: Hit, rule: CompiledRule): PublicHit {
    const { extract } = rule.terms[term]!
    if (extract.length === 0) return new LazyHit(entry)
    const values = extract.map((one) => [one.name, take(one, entry.text)] as const)
    const extracted = firstOfEach(values)
    return extracted === undefined ? new LazyHit(entry) : Object.assign(new LazyHit(entry), { extracted })
  }

  return ({ rule, hits: found }) => {
    const { cre, ruleId, ruleHash } = rule
    const hits: PublicHit[] = []
    let isBare = true
    for (let i = 0; i < found.length; i++) {
      const hit = present(found[i]!, rule)
      if (hit.extracted !== undefined) isBare = false
      hits.push(hit)
    }
    if (isBare) return { cre, ruleId, ruleHash, hits }
    const extracted = firstOfEach(hits.flatMap((hit) => Object.entries(hit.extracted ?? {})))
    return { cre, ruleId, ruleHash, hits, extracted: extracted! }
  }
}

function firstOfEach(values: readonly (readonly [name: string, value: string | undefined])[]): Extracted | undefined {
  const first = new Map<string, string>()
  for (const [name, value] of values) {
    if (value !== undefined && !first.has(name)) first.set(name, value)
  }
  return first.size === 0 ? undefined : Object.fromEntries(first)
}

/**
 * A hit that decodes its entry when asked. A class with a getter on its prototype, because a getter on every object costs
 * ten times as much, and plain text would have to be decoded for every line of a log in which every line is a detection.
 */
class LazyHit implements PublicHit {
  readonly timestamp: bigint
  readonly line: number
  declare readonly extracted?: Extracted
  readonly #entry: Entry

  constructor(entry: Entry) {
    this.timestamp = entry.timestamp
    this.line = entry.line
    this.#entry = entry
  }

  get entry(): string {
    return this.#entry.text
  }

  toJSON(): object {
    const { timestamp, entry, line, extracted } = this
    return { timestamp: String(timestamp), entry, line, ...(extracted === undefined ? {} : { extracted }) }
  }
}
