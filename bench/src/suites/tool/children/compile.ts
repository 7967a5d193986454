/** Compiles the rule document named on the command line and restores it from its exported form, and prints both times. */
import { readFileSync } from 'node:fs'
import { compileDocument } from '../engine.js'

const text = readFileSync(process.argv[2]!, 'utf8')
const started = performance.now()
const restore = await compileDocument(text)
const compiled = performance.now()
await restore()
const restored = performance.now()
const show = (milliseconds: number) => `${milliseconds.toFixed(1)} ms`
console.log(`of which compileRules ${show(compiled - started)}, importRules would be ${show(restored - compiled)}`)
