/** Loaded before a Node program whose memory is measured: writes its peak to a file when it ends. */
import { writeFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'
import { highWaterMark, PEAK_FILE } from './high-water-mark.js'

const file = process.env[PEAK_FILE]

// Threads share the memory of their process and would only write it again.
if (isMainThread && file !== undefined) {
  process.on('exit', () => {
    writeFileSync(file, String(highWaterMark('self') ?? process.resourceUsage().maxRSS * 1024))
  })
}
