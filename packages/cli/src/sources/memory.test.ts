import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, expect, it } from 'vitest'

const MEBIBYTE = 1 << 20

/** The decompressed size of each archive. */
const UNPACKED = 384 * MEBIBYTE

/** Well below the decompressed size, and above the memory that Node.js itself needs. */
const MAX_MEMORY = 256 * MEBIBYTE

const ARCHIVES = JSON.parse(readFileSync(new URL('decompress/archives.json', import.meta.url), 'utf8'))
const zeros = (extension: string) => Buffer.from(ARCHIVES[`zeros.${extension}`], 'base64')

/** A zstd frame of blocks that each decompress to 128 KiB of zeros. */
function zstdBomb(): Buffer {
  const blocks = UNPACKED / (128 * 1024)
  const frame = Buffer.alloc(6 + 4 * blocks)
  frame.set([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58])
  for (let i = 0; i < blocks; i++) {
    frame.writeUIntLE((128 * 1024 * 8) | (1 << 1) | (i === blocks - 1 ? 1 : 0), 6 + 4 * i, 3)
  }
  return frame
}

const BOMBS = {
  gzip: () => repeat(gzipSync(Buffer.alloc(16 * MEBIBYTE)), UNPACKED / (16 * MEBIBYTE)),
  bzip2: () => repeat(zeros('bz2'), UNPACKED / MEBIBYTE),
  xz: () => repeat(zeros('xz'), UNPACKED / MEBIBYTE),
  zstd: zstdBomb,
}

function repeat(part: Buffer, times: number): Buffer {
  return Buffer.concat(Array.from({ length: times }, () => part))
}

const PROGRAM = `
import { openData } from './open-data.js'
const data = await openData(process.argv[2])
const into = new Uint8Array(1 << 20)
let total = 0
for (let bytes = await data.read(into); bytes > 0; bytes = await data.read(into)) total += bytes
await data.close()
console.log(JSON.stringify({ total, memory: 1024 * process.resourceUsage().maxRSS }))
`

let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'omen-memory-'))
  const input = fileURLToPath(new URL('open-data.ts', import.meta.url))
  const build = await rolldown({ input, platform: 'node', resolve: { extensionAlias: { '.js': ['.ts', '.js'] } } })
  await build.write({ dir: folder, format: 'esm' })
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  writeFileSync(join(folder, 'read.js'), PROGRAM)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it.each(Object.entries(BOMBS))('decompresses much %s data in little memory', (name, create) => {
  const path = join(folder, name)
  writeFileSync(path, create())
  const { total, memory } = JSON.parse(execFileSync(process.execPath, [join(folder, 'read.js'), path]).toString())
  expect(total).toBe(UNPACKED)
  expect(memory).toBeLessThan(MAX_MEMORY)
})
