import { type SpawnSyncOptions, spawnSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, expect, it } from 'vitest'

const PROGRAM = `
import { inspectStandardInput, openData } from './modules.js'
const input = inspectStandardInput()
const hasData = await input.hasData()
const data = await openData(0)
const into = new Uint8Array(100)
let text = ''
for (let bytes = await data.read(into); bytes > 0; bytes = await data.read(into)) text += Buffer.from(into.subarray(0, bytes))
await data.close()
console.log(JSON.stringify({ kind: input.kind, hasData, text }))
`

let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'omen-input-'))
  const here = (name: string) => JSON.stringify(fileURLToPath(new URL(name, import.meta.url)))
  const modules = join(folder, 'modules.ts')
  writeFileSync(modules, `export * from ${here('standard-input.ts')}\nexport * from ${here('open-data.ts')}\n`)
  const build = await rolldown({
    input: modules,
    platform: 'node',
    resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
  })
  await build.write({ dir: folder, format: 'esm' })
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  writeFileSync(join(folder, 'inspect.js'), PROGRAM)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function inspect(options: SpawnSyncOptions): unknown {
  const { stdout, stderr } = spawnSync(process.execPath, [join(folder, 'inspect.js')], options)
  return stderr.toString() || JSON.parse(stdout.toString())
}

/** Runs the program in a shell, which sets its standard input. */
function inspectInShell(command: string): unknown {
  const { stdout, stderr } = spawnSync('sh', ['-c', command, process.execPath, join(folder, 'inspect.js'), folder])
  return stderr.toString() || JSON.parse(stdout.toString())
}

it('detects whether a file has data, without consuming it', () => {
  for (const text of ['a line\n', '']) {
    const path = join(folder, 'input.log')
    writeFileSync(path, text)
    const file = openSync(path, 'r')
    expect(inspect({ stdio: [file, 'pipe', 'pipe'] })).toEqual({ kind: 'file', hasData: text !== '', text })
    closeSync(file)
  }
})

it('detects whether a pipe has data, without consuming it', () => {
  expect(inspectInShell('printf "a line\\n" | "$0" "$1"')).toEqual({ kind: 'pipe', hasData: true, text: 'a line\n' })
  expect(inspectInShell('true | "$0" "$1"')).toEqual({ kind: 'pipe', hasData: false, text: '' })
  expect(inspect({ input: 'a line\n' })).toEqual({ kind: 'pipe', hasData: true, text: 'a line\n' })
})

it('detects standard input without data', () => {
  const nothing = { kind: 'null', hasData: true, text: '' }
  expect(inspect({ stdio: ['ignore', 'pipe', 'pipe'] })).toEqual(nothing)
  expect(inspectInShell('"$0" "$1" <&-')).toEqual(nothing)
})

it('rejects a folder', () => {
  expect(inspectInShell('"$0" "$1" < "$2"')).toMatch(/Failure: is a folder/)
})
