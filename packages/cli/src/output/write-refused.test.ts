import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, expect, test } from 'vitest'

// Limits and permissions apply to a whole process, so each test starts one: with a limit on the size of files, and without the
// permissions of root.

/** Writes 4 MB to the file named by its argument, and prints the result. */
const PROGRAM = `
import { writeFileAtomically } from '${fileURLToPath(new URL('./write-file.ts', import.meta.url))}'
const content = Array.from({ length: 4000 }, () => 'x'.repeat(1000))
writeFileAtomically(process.argv[2], content).then(() => console.log('written'), (error) => console.log(error.kind, error.message))
`
const NOBODY = 65_534

let folder = ''
let program = ''
const path = (name: string) => join(folder, name)

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'omen-refused-'))
  chmodSync(folder, 0o755)
  writeFileSync(path('program.ts'), PROGRAM)
  const build = await rolldown({
    input: path('program.ts'),
    platform: 'node',
    resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
  })
  await build.write({ dir: path('built'), entryFileNames: '[name].mjs', chunkFileNames: '[name].mjs' })
  program = path('built/program.mjs')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function run(target: string, limits: string): string {
  const script = `${limits}; exec "$0" "$@"`
  const identity = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}
  const args = ['-c', script, process.execPath, program, target]
  return spawnSync('sh', args, { cwd: folder, encoding: 'utf8', ...identity }).stdout
}

/** Creates a folder that every user may write to. */
function makeWritable(name: string): string {
  mkdirSync(path(name))
  chmodSync(path(name), 0o777)
  return name
}

test('a disk that becomes full leaves the old file and no temporary file', () => {
  const name = makeWritable('limited')
  writeFileSync(path(`${name}/report.json`), 'old')
  chmodSync(path(`${name}/report.json`), 0o666)
  // The signal would end the process; ignored, the write is refused in the middle, as on a full disk.
  const output = run(`${name}/report.json`, 'trap "" XFSZ; ulimit -f 1000')
  expect(output).toBe('Output limited/report.json: the file would exceed the size limit; choose another folder\n')
  expect(readFileSync(path(`${name}/report.json`), 'utf8')).toBe('old')
  expect(readdirSync(path(name))).toEqual(['report.json'])
})

test('a folder without permission to create files is an error', () => {
  mkdirSync(path('locked'))
  chmodSync(path('locked'), 0o555)
  expect(run('locked/report.json', ':')).toBe('Output locked/report.json: permission denied; choose another folder\n')
})

test('a write-protected file is not replaced, although the folder would allow it', () => {
  const name = makeWritable('protecting')
  writeFileSync(path(`${name}/report.json`), 'old')
  chmodSync(path(`${name}/report.json`), 0o444)
  expect(run(`${name}/report.json`, ':')).toMatch('permission denied')
  expect(readFileSync(path(`${name}/report.json`), 'utf8')).toBe('old')
})

test('/dev/stdout continues after the summary, even if it is a file', () => {
  const name = makeWritable('redirected')
  run('/dev/stdout', `exec > ${name}/all; echo summary`)
  const all = readFileSync(path(`${name}/all`), 'utf8')
  expect(all === `summary\n${'x'.repeat(4_000_000)}written\n`).toBe(true)
})
