import type { CompiledRule, CreRecord, Extract } from '../rules/compiled.js'

/** One log entry: a line, or several folded into one. */
export interface Entry {
  /** Nanoseconds since 1970. */
  readonly timestamp: bigint
  /** Decoded on first use, which must be before the entry is kept in rule state. */
  readonly text: string
  /** Number of its first line in the data, from 1. */
  readonly line: number
}

/** An entry of a detection, inside the engine. */
export interface Hit {
  readonly entry: Entry
  /** The condition that it met: an index into `rule.terms`. */
  readonly term: number
}

/** A rule that fired, inside the engine. The hits are in the order of the rule's conditions, the oldest of each first. */
export interface Detection {
  readonly rule: CompiledRule
  readonly ruleIndex: number
  readonly hits: readonly Hit[]
}

/** Values extracted from entries, by the names in the rule. */
export type Extracted = Readonly<Record<string, string>>

/** One entry of a detection. `JSON.stringify` writes the timestamp as a string of digits. */
export interface PublicHit {
  /** Nanoseconds since 1970. */
  readonly timestamp: bigint
  /** The text, decoded on first use. A spread copy of the hit does not have it; JSON does. */
  readonly entry: string
  /** Number of its first line in the data, from 1. */
  readonly line: number
  /** The file of the line, set by callers that read several files as one: the engine does not know about files. */
  readonly file?: string
  /** The values extracted from this entry; absent if there are none. */
  readonly extracted?: Extracted
}

/** A detection: the rule's description and the entries that match it. */
export interface PublicDetection {
  readonly cre: CreRecord
  readonly ruleId: string
  readonly ruleHash: string
  readonly hits: readonly PublicHit[]
  /** The values extracted from all hits, the first value of each name; absent if there are none. */
  readonly extracted?: Extracted
}

/** Extracts a value from the text of an entry; undefined if there is none. */
export type Extractor = (text: string) => string | undefined

/**
 * Returns a function that converts detections of the matcher to public ones. `extractorFor` is called once for every extract
 * of a rule, when a detection of that rule first needs it.
 *
 * @example
 * const present = createPresenter(extractorFor)
 * createMatcher(rules, { emit: (detection) => found.push(present(detection)) })
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
 * A hit that decodes its entry on first use. A class with a getter on its prototype, because a getter on every object takes
 * ten times as long, and a plain string would have to be decoded for every line of a log in which every line is a detection.
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
