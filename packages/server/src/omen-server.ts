#!/usr/bin/env node
import { main } from './main.js'

// The reader of the output may close the pipe, as `head` does. A command and the service go on without it.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)

main(process.argv.slice(2)).then((status) => {
  process.exitCode = status
})
