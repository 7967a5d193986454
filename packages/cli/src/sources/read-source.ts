import { read, readSync } from 'node:fs'
import { promisify } from 'node:util'
import type { Detection, Detector } from '@omen/engine'
import { refuseUnreadable } from './refuse-unreadable.js'

const readLater = promisify(read)

/** How long to wait when a pipe that does not block has nothing yet. */
const EMPTY_PIPE_MS = 5

/**
 * Reads a file to its end straight into the detector's memory. Reading waits: nothing else has to happen meanwhile.
 */
export function readFileSource(file: number, detector: Detector, found: (detections: Detection[]) => void): void {
  for (;;) {
    const space = detector.space()
    const bytes = readSync(file, space, 0, space.length, null)
    if (bytes === 0) break
    if (detector.progress.bytes === 0) refuseUnreadable(space.subarray(0, bytes))
    found(detector.commit(bytes))
  }
  found(detector.end())
}

/** Reads a pipe or a terminal to its end, without holding up the rest of the process while nothing comes. */
export async function readPipeSource(
  file: number,
  detector: Detector,
  found: (detections: Detection[]) => void,
): Promise<void> {
  for (;;) {
    const space = detector.space()
    const bytes = await readSome(file, space)
    if (bytes === 0) break
    if (detector.progress.bytes === 0) refuseUnreadable(space.subarray(0, bytes))
    found(detector.commit(bytes))
  }
  found(detector.end())
}

async function readSome(file: number, space: Uint8Array): Promise<number> {
  for (;;) {
    try {
      return (await readLater(file, space, 0, space.length, null)).bytesRead
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'EOF') return 0
      if (code !== 'EAGAIN') throw error
      await new Promise((resolve) => setTimeout(resolve, EMPTY_PIPE_MS))
    }
  }
}
