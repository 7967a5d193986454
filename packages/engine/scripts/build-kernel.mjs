// Compiles the AssemblyScript kernel and inlines it as base64, so that the engine stays plain modules that load the same
// way in Node.js, a worker and a browser.
//
//   node scripts/build-kernel.mjs [entry.ts] [output.ts]

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import asc from 'assemblyscript/asc'

const home = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const entry = resolve(process.argv[2] ?? `${home}/kernel/index.ts`)
const output = resolve(process.argv[3] ?? `${home}/src/scan/kernel/wasm.generated.ts`)
const wasm = output.replace(/\.ts$/, '.wasm')

const { error, stderr } = await asc.main(
  [
    entry,
    '--outFile',
    wasm,
    '-O3',
    '--noAssert',
    '--runtime',
    'stub',
    '--importMemory',
    '--enable',
    'simd',
    '--enable',
    'bulk-memory',
    '--use',
    'abort=',
  ],
  {
    writeFile(name, contents, baseDir) {
      const path = resolve(baseDir, name)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, contents)
    },
    readFile(name, baseDir) {
      try {
        return readFileSync(resolve(baseDir, name), 'utf8')
      } catch {
        return null
      }
    },
  },
)
if (error) {
  process.stderr.write(stderr.toString())
  process.stderr.write(`The kernel does not compile: ${error.message}\n`)
  process.exit(1)
}

const bytes = readFileSync(wasm)
writeFileSync(
  output,
  `// Made from kernel/ by scripts/build-kernel.mjs: do not edit.\nexport const KERNEL_WASM_BASE64 =\n  '${bytes.toString('base64')}'\n`,
)
