// Runs the WebAssembly kernel and its TypeScript twin on the same log with the rules of this repository, compares the
// detections, and prints the best speed of each. Needs a build: it loads dist/.
//
//   node packages/engine/scripts/compare-kernels.mjs [log file] [runs]

import { readdirSync, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compileRules, createDetector } from '../dist/index.js'
import { loadKernel } from '../dist/scan/kernel/kernel.js'
import { plainKernel } from '../dist/scan/kernel/plain-kernel.js'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../../..')
const [path, runs = '5'] = process.argv.slice(2)
const log = path ? readFileSync(path) : generateLog(32 << 20)
const documents = readdirSync(`${root}/rules`, { recursive: true })
  .filter((name) => /\.ya?ml$/.test(name))
  .sort()
  .map((name) => ({ name, text: readFileSync(`${root}/rules/${name}`, 'utf8') }))
  .filter(({ text }) => /^rules:/m.test(text))
const now = new Date('2026-06-01T00:00:00Z')
const kernels = { wasm: await loadKernel(), plain: plainKernel }

/** Lines of a few programs with RFC 3339 times, from a fixed seed. */
function generateLog(size) {
  const words = 'request served user cache disk connection refused timeout retry leader shard index commit error'.split(
    ' ',
  )
  const lines = []
  let seed = 1
  for (let bytes = 0, second = 0; bytes < size; second++) {
    const time = new Date(1_772_366_400_000 + second * 7).toISOString()
    const text = Array.from({ length: 12 }, () => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 1
      return words[seed % words.length]
    })
    const line = `${time} level=info msg="${text.join(' ')}" id=${seed}\n`
    bytes += line.length
    lines.push(line)
  }
  return Buffer.from(lines.join(''))
}

/** Scans the log, and returns the time in seconds and the detections as text. */
function scan(rules, makeKernel) {
  const detector = createDetector(rules, { now, makeKernel })
  const found = []
  const start = performance.now()
  for (let at = 0; at < log.length; at += 1 << 20) found.push(...detector.push(log.subarray(at, at + (1 << 20))))
  found.push(...detector.end())
  const seconds = (performance.now() - start) / 1000
  return { seconds, found: found.map(({ cre, hits }) => `${cre.id} at lines ${hits.map(({ line }) => line)}`) }
}

for (const [work, sources] of [
  ['read entries, no rules', []],
  [`scan with ${documents.length} rule files`, documents],
]) {
  const rules = await compileRules(sources)
  const best = { wasm: Number.POSITIVE_INFINITY, plain: Number.POSITIVE_INFINITY }
  for (let run = 0; run < Number(runs); run++) {
    const results = {}
    for (const [name, makeKernel] of Object.entries(kernels)) {
      results[name] = scan(rules, makeKernel)
      best[name] = Math.min(best[name], results[name].seconds)
    }
    const [wasm, plain] = [results.wasm.found, results.plain.found]
    const at = wasm.findIndex((detection, index) => detection !== plain[index])
    if (at >= 0 || wasm.length !== plain.length) {
      const index = at < 0 ? wasm.length : at
      console.log(`${work}: detection ${index} differs: wasm ${wasm[index]}, plain ${plain[index]}`)
      process.exit(1)
    }
  }
  const speed = (seconds) => `${Math.floor(log.length / seconds / 1e6)} MB/s`
  const ratio = (best.plain / best.wasm).toFixed(1)
  console.log(`${work}: wasm ${speed(best.wasm)}, plain ${speed(best.plain)}, ratio ${ratio}`)
}
