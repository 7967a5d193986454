import type { Progress, Stage } from '../console/progress/progress.js'
import type { Amount } from '../matching/events.js'
import type { Source } from '../sources/source.js'

/** The stages of a scan on the screen. */
export interface ScanView {
  problems(count: number): void
  advanced(source: number, taken: number, lines: number): void
  finished(source: number, amount: Amount): void
  /** Nothing could be read of this source. */
  failed(source: number): void
  end(): void
}

interface Reading {
  readonly stage: Stage
  /** Sources of this stage that are not finished. */
  open: number
  taken: number
  bytes: number
  /** Whether anything could be read. */
  isReadable: boolean
}

/** Shows a scan: the number of problems, one line for each data source, and the lines of all. */
export function showScan(progress: Progress, sources: readonly Source[]): ScanView {
  const problems = progress.stage('Problems detected', 'problems')
  problems.start()
  const readings = new Map<string, Reading>()
  for (const [name, { size }] of stagesOf(sources)) {
    const stage = progress.stage(`Reading ${name}`, 'bytes', size)
    readings.set(name, { stage, open: 0, taken: 0, bytes: 0, isReadable: false })
  }
  const perSource = sources.map((source) => readings.get(stageOf(source))!)
  for (const reading of perSource) reading.open++
  const matching = progress.stage('Matching lines', 'lines')
  matching.start()
  const started = new Set<Reading>()
  const reached = sources.map(() => ({ taken: 0, lines: 0 }))
  let lines = 0
  let found = 0

  function advance(source: number, taken: number, linesRead: number): Reading {
    const reading = perSource[source]
    if (!started.has(reading)) {
      started.add(reading)
      reading.stage.start()
    }
    reading.taken += taken - reached[source].taken
    lines += linesRead - reached[source].lines
    reached[source] = { taken, lines: linesRead }
    return reading
  }

  function close(reading: Reading): void {
    if (--reading.open > 0) return
    if (reading.isReadable) reading.stage.done(reading.bytes)
    else reading.stage.fail()
  }

  return {
    problems(count) {
      found = count
      problems.update(count)
    },
    advanced(source, taken, linesRead) {
      const reading = advance(source, taken, linesRead)
      reading.stage.update(reading.taken)
      matching.update(lines)
    },
    finished(source, amount) {
      const reading = advance(source, reached[source].taken, amount.lines)
      reading.bytes += amount.bytes
      reading.isReadable = true
      close(reading)
    },
    failed(source) {
      close(advance(source, reached[source].taken, reached[source].lines))
    },
    end() {
      problems.done(found)
      for (const reading of readings.values()) {
        if (reading.open === 0) continue
        reading.open = 1
        reading.isReadable ||= reading.taken > 0
        reading.bytes = Math.max(reading.bytes, reading.taken)
        close(reading)
      }
      matching.done(lines)
    },
  }
}

/** The files of a folder share a progress line: there may be thousands. */
export function stageOf({ name, stage }: Source): string {
  return stage ?? name
}

/** The names of the stages, in the order of their first source. */
export function stageNamesOf(sources: readonly Source[]): string[] {
  return [...new Set(sources.map(stageOf))]
}

/** The stages in the order of their first source, with the bytes on disk of all their files where those are known. */
function stagesOf(sources: readonly Source[]): Map<string, { readonly size: number | undefined }> {
  const stages = new Map<string, { size: number | undefined }>()
  for (const source of sources) {
    const name = stageOf(source)
    const size = totalSize([stages.get(name)?.size ?? 0, ...source.files.map((file) => file.size)])
    stages.set(name, { size: stages.has(name) && stages.get(name)?.size === undefined ? undefined : size })
  }
  return stages
}

function totalSize(sizes: readonly (number | undefined)[]): number | undefined {
  let total = 0
  for (const size of sizes) {
    if (size === undefined) return undefined
    total += size
  }
  return total
}
