// Compiles the AssemblyScript kernel and inlines it as base64, so that the engine is plain modules that load the same way
// in Node.js, a worker and a browser. Before that it writes kernel/constants.generated.ts from the tables that the kernel
// shares with the host.
//
//   node scripts/build-kernel.mjs [--debug]
//
// With --debug the kernel has assertions and function names, is not optimized, and is also written as text (.wat): see
// docs/debugging-the-kernel.md.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import asc from 'assemblyscript/asc'
import { rolldown } from 'rolldown'

const home = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const isDebug = process.argv.includes('--debug')
const wasm = `${home}/src/scan/kernel/wasm.generated.wasm`

/** The modules whose exported numbers, and objects of numbers, the kernel has as constants. */
const TABLES = ['clock', 'filter', 'reading'].map((name) => `src/scan/kernel/${name}-layout.ts`)

const RELEASE = ['-O3', '--noAssert']
const DEBUG = ['--debug', '--textFile', wasm.replace(/\.wasm$/, '.wat')]

writeFileSync(`${home}/kernel/constants.generated.ts`, await writeConstants())
const { error, stderr } = await asc.main(
  [
    `${home}/kernel/index.ts`,
    '--outFile',
    wasm,
    ...(isDebug ? DEBUG : RELEASE),
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

writeFileSync(
  wasm.replace(/\.wasm$/, '.ts'),
  `// Written by scripts/build-kernel.mjs from kernel/: do not edit.\nexport const KERNEL_WASM_BASE64 =\n  '${readFileSync(wasm).toString('base64')}'\n`,
)

/** The tables in AssemblyScript: an object becomes a namespace, so that `PLAN.at` is written the same in both languages. */
async function writeConstants() {
  const lines = ['// Written by scripts/build-kernel.mjs from src/scan/kernel/*-layout.ts: do not edit.']
  for (const table of TABLES) {
    const bundle = await rolldown({
      input: `${home}/${table}`,
      resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
    })
    const { output } = await bundle.generate({ format: 'esm' })
    const values = await import(`data:text/javascript,${encodeURIComponent(output[0].code)}`)
    for (const [name, value] of Object.entries(values)) {
      if (typeof value === 'number') lines.push(`export const ${name} = ${value}`)
      else {
        const members = Object.entries(value).map(([key, number]) => `  export const ${key} = ${number}`)
        lines.push(`export namespace ${name} {`, ...members, '}')
      }
    }
  }
  return `${lines.join('\n')}\n`
}
