/** Reads the entries of the logs named on the command line, as one stream, and prints how many there were. */
import { openSync, readSync } from 'node:fs'
import { countEntries } from '../engine.js'

const files = process.argv.slice(2).map((path) => openSync(path, 'r'))

function fill(space: Uint8Array): number {
  while (files.length > 0) {
    const bytes = readSync(files[0]!, space)
    if (bytes > 0) return bytes
    files.shift()
  }
  return 0
}

console.log(await countEntries(fill))
