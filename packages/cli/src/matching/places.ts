import type { Detection, Hit } from '@omen/engine'

/** Knows in which file of a source a line stands. */
export interface Places {
  /** A file begins after so many lines. */
  begin(path: string, linesBefore: number): void
  /** Says in which file each hit stands, and counts its line in that file. */
  place(detections: readonly Detection[]): readonly Detection[]
}

/**
 * A source of one file needs nothing: its lines are the lines of the file. Where there are several, the detector counts on
 * from file to file, and what it found is told by file here.
 */
export function createPlaces(files: number): Places {
  const starts: { readonly path: string; readonly linesBefore: number }[] = []

  function inFile(hit: Hit): Hit {
    const { timestamp, entry, line, extracted } = hit
    const { path, linesBefore } = starts.findLast((start) => start.linesBefore < line) ?? { path: '', linesBefore: 0 }
    return { timestamp, entry, line: line - linesBefore, file: path, ...(extracted && { extracted }) }
  }

  return {
    begin(path, linesBefore) {
      starts.push({ path, linesBefore })
    },
    place(detections) {
      if (files === 1) return detections
      return detections.map((detection) => ({ ...detection, hits: detection.hits.map(inFile) }))
    },
  }
}
