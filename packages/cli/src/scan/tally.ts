import type { CreRecord, Detection, ProblemHit } from '@omen/engine'
import { createSpill, type Spill, type Stretch } from './spill.js'

/** Everything that was found of one CRE. */
export interface Problem {
  readonly cre: CreRecord
  readonly ruleId: string
  readonly ruleHash: string
  /** How many times the rule fired. */
  readonly detections: number
  /** Nanoseconds since 1970: the time of the first hit. */
  readonly first: bigint
  /** The sources that have labels, and that it was found in. */
  readonly places?: readonly string[]
  /** The hits that were kept, in the order of the sources, and in the order in which they fired. */
  readonly hits: Iterable<ProblemHit>
}

/** What was found in all sources. */
export interface Tally {
  add(source: number, detections: readonly Detection[]): void
  /** How many different problems there are so far. */
  readonly size: number
  /** The worst first, then the earliest. */
  problems(): Problem[]
}

export interface TallyOptions {
  /** Hits are kept for a report. */
  readonly keepsHits: boolean
  /** At most this many of each problem in each source, the first ones: for a run that never ends. */
  readonly mostHits?: number
  /** Hits of about so many bytes are kept in memory; the others wait on disk. */
  readonly mostInMemory?: number
  readonly spill?: Spill
}

/** Some hundred thousand hits of the usual length: few runs have more, and none needs more memory than a browser tab. */
const MOST_IN_MEMORY = 64 * 1024 * 1024

/** What a hit takes beside its text. */
const HIT_BYTES = 250

/** What was found of one CRE in one source. */
interface Found {
  readonly cre: CreRecord
  readonly ruleId: string
  readonly ruleHash: string
  detections: number
  readonly first: bigint
  /** How many hits were kept: those on disk come before those in memory. */
  kept: number
  readonly onDisk: Stretch[]
  inMemory: ProblemHit[]
}

/** What a tally knows of a source: its name and labels are said with every hit. */
export interface TalliedSource {
  readonly name: string
  readonly labels?: Readonly<Record<string, string>>
}

/** Starts an empty tally of sources. A log in which every line is a hit needs no more memory than any other. */
export function createTally(sources: readonly TalliedSource[], options: TallyOptions): Tally {
  const {
    keepsHits,
    mostHits = Number.POSITIVE_INFINITY,
    mostInMemory = MOST_IN_MEMORY,
    spill = createSpill(),
  } = options
  const bySource = new Map<number, Map<string, Found>>()
  const ids = new Set<string>()
  let bytesInMemory = 0
  let isDiskFull = false

  function foundOf(source: number, { cre, ruleId, ruleHash, hits }: Detection): Found {
    const problems = bySource.get(source) ?? new Map<string, Found>()
    bySource.set(source, problems)
    let found = problems.get(cre.id)
    if (found === undefined) {
      const first = hits[0].timestamp
      found = { cre, ruleId, ruleHash, detections: 0, first, kept: 0, onDisk: [], inMemory: [] }
      problems.set(cre.id, found)
      ids.add(cre.id)
    }
    return found
  }

  function keep(found: Found, hits: Detection['hits'], { name, labels }: TalliedSource): void {
    for (let i = 0; i < hits.length && found.kept < mostHits; i++) {
      const { timestamp, entry, line, file, extracted } = hits[i]
      const place = file === undefined ? { source: name } : { source: name, file }
      found.inMemory.push({ timestamp, entry, line, ...place, ...labels, ...(extracted && { extracted }) })
      found.kept++
      bytesInMemory += HIT_BYTES + entry.length
    }
  }

  /** Moves all hits to the disk. One that is full is not tried again: then memory has to do. */
  function moveToDisk(): void {
    for (const problems of bySource.values()) {
      for (const found of problems.values()) {
        if (found.inMemory.length === 0) continue
        const stretch = spill.write(linesOf(found.inMemory))
        if (stretch === undefined) {
          isDiskFull = true
          return
        }
        found.onDisk.push(stretch)
        found.inMemory = []
      }
    }
    bytesInMemory = 0
  }

  function* hitsOf(all: readonly Found[]): Generator<ProblemHit, void, undefined> {
    for (const { onDisk, inMemory } of all) {
      for (const stretch of onDisk) for (const line of spill.read(stretch)) yield fromLine(line)
      yield* inMemory
    }
  }

  return {
    add(source, detections) {
      for (const detection of detections) {
        const found = foundOf(source, detection)
        found.detections++
        if (keepsHits) keep(found, detection.hits, sources[source]!)
      }
      if (bytesInMemory > mostInMemory && !isDiskFull) moveToDisk()
    },
    get size() {
      return ids.size
    },
    problems() {
      const inOrder = [...bySource].sort(([a], [b]) => a - b)
      const merged = [...ids].map((id): Problem => {
        const all = inOrder.flatMap(([, problems]) => problems.get(id) ?? [])
        const places = inOrder.flatMap(([source, problems]) => (problems.has(id) ? placeOf(sources[source]!) : []))
        const [{ cre, ruleId, ruleHash, first }] = all
        const detections = all.reduce((sum, found) => sum + found.detections, 0)
        const hits = { [Symbol.iterator]: () => hitsOf(all) }
        return { cre, ruleId, ruleHash, detections, first, hits, ...(places.length > 0 && { places }) }
      })
      return merged.sort(bySeverity)
    },
  }
}

/** A source that has labels is one of many of its kind: which one is worth a word. */
function placeOf({ name, labels }: TalliedSource): string[] {
  return labels ? [name] : []
}

function* linesOf(hits: readonly ProblemHit[]): Generator<string, void, undefined> {
  for (const { timestamp, ...rest } of hits) yield JSON.stringify([String(timestamp), rest])
}

function fromLine(line: string): ProblemHit {
  const [timestamp, rest] = JSON.parse(line)
  return { timestamp: BigInt(timestamp), ...rest }
}

/** A record without severity counts as critical. */
function bySeverity(a: Problem, b: Problem): number {
  const severity = (a.cre.severity ?? 0) - (b.cre.severity ?? 0)
  if (severity !== 0) return severity
  if (a.first !== b.first) return a.first < b.first ? -1 : 1
  return a.cre.id < b.cre.id ? -1 : 1
}
