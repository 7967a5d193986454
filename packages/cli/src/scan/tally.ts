import type { CreRecord, Detection, ProblemHit } from '@omen/engine'
import { createSpill, type Spill, type SpillRange } from './spill.js'

/** Everything that was found for one CRE. */
export interface Problem {
  readonly cre: CreRecord
  readonly ruleId: string
  readonly ruleHash: string
  /** How many times the rule fired. */
  readonly detections: number
  /** Nanoseconds since 1970: the time of the first hit. */
  readonly first: bigint
  /** The sources with labels in which it was found. */
  readonly places?: readonly string[]
  /** The hits that were kept, in the order of the sources, and in the order in which they fired. */
  readonly hits: Iterable<ProblemHit>
}

/** What was found in all sources. */
export interface Tally {
  add(source: number, detections: readonly Detection[]): void
  /** How many different problems there are so far. */
  readonly size: number
  /** How many hits were not kept because there were more than `maxHits`. */
  readonly leftOut: number
  /** The worst first, then the earliest. */
  problems(): Problem[]
}

export interface TallyOptions {
  /** Hits are kept for a report. */
  readonly keepsHits: boolean
  /** The most hits that are kept for each problem in each source: the first ones. For a run without end. */
  readonly maxHits?: number
  /** The approximate bytes of hits that are kept in memory; the others are stored on disk. */
  readonly maxInMemory?: number
  readonly spill?: Spill
}

/** Some hundred thousand hits of the usual length. Few runs have more. */
const MAX_IN_MEMORY = 64 * 1024 * 1024

/** The memory of a hit without its text. */
const HIT_BYTES = 250

/** What was found for one CRE in one source. */
interface Found {
  readonly cre: CreRecord
  readonly ruleId: string
  readonly ruleHash: string
  detections: number
  readonly first: bigint
  /** The number of hits kept. Those on disk come before those in memory. */
  kept: number
  readonly onDisk: SpillRange[]
  inMemory: ProblemHit[]
}

/** A source of a tally. Every hit has its name and labels. */
export interface TalliedSource {
  readonly name: string
  readonly labels?: Readonly<Record<string, string>>
}

/** Creates an empty tally of sources. A log in which every line is a hit needs no more memory than any other. */
export function createTally(sources: readonly TalliedSource[], options: TallyOptions): Tally {
  const { keepsHits, maxHits = Number.POSITIVE_INFINITY, maxInMemory = MAX_IN_MEMORY, spill = createSpill() } = options
  const bySource = new Map<number, Map<string, Found>>()
  const ids = new Set<string>()
  let bytesInMemory = 0
  let isDiskFull = false
  let leftOut = 0

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
    const room = Math.min(hits.length, maxHits - found.kept)
    leftOut += hits.length - room
    for (let i = 0; i < room; i++) {
      const { timestamp, entry, line, file, extracted } = hits[i]
      const place = file === undefined ? { source: name } : { source: name, file }
      found.inMemory.push({ timestamp, entry, line, ...place, ...labels, ...(extracted && { extracted }) })
      found.kept++
      bytesInMemory += HIT_BYTES + entry.length
    }
  }

  /** Moves all hits to the disk. If it is full, hits are kept in memory from then on. */
  function moveToDisk(): void {
    for (const problems of bySource.values()) {
      for (const found of problems.values()) {
        if (found.inMemory.length === 0) continue
        const range = spill.write(linesOf(found.inMemory))
        if (range === undefined) {
          isDiskFull = true
          return
        }
        found.onDisk.push(range)
        found.inMemory = []
      }
    }
    bytesInMemory = 0
  }

  function* hitsOf(all: readonly Found[]): Generator<ProblemHit, void, undefined> {
    for (const { onDisk, inMemory } of all) {
      for (const range of onDisk) for (const line of spill.read(range)) yield fromLine(line)
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
      if (bytesInMemory > maxInMemory && !isDiskFull) moveToDisk()
    },
    get size() {
      return ids.size
    },
    get leftOut() {
      return leftOut
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

/** A source with labels is one of many: a problem names it. */
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
