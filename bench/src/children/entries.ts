/** Reads the entries of the logs named on the command line, as one stream, and prints how many there were. */
import { closeSync, openSync, readSync } from 'node:fs'
import { countEntries } from '../engine.js'

const CHUNK = 1 << 20

/** A new buffer each time, as a stream would give: whoever gets one may keep it. */
function* chunksOf(paths: readonly string[]): Generator<Uint8Array> {
  for (const path of paths) {
    const file = openSync(path, 'r')
    for (;;) {
      const buffer = Buffer.allocUnsafeSlow(CHUNK)
      const read = readSync(file, buffer)
      if (read === 0) break
      yield buffer.subarray(0, read)
    }
    closeSync(file)
  }
}

console.log(await countEntries(chunksOf(process.argv.slice(2))))
