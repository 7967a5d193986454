#!/usr/bin/env node
import { keepTicksFast } from './keep-ticks-fast.js'

// Before the rest is loaded, which leaves garbage.
keepTicksFast()
const { main } = await import('./main.js')

// Whoever reads the output may stop reading, as `head` does: that is no error of a command. A service goes on.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)

main(process.argv.slice(2)).then((status) => {
  process.exitCode = status
})
