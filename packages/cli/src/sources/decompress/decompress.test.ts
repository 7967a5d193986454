import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Failure } from '../../failure.js'
import type { Compression } from '../compression.js'
import { DECOMPRESSORS } from '../unpack.js'
import type { Decompressor } from './decompressor.js'
import { unzstdWithWasm } from './unzstd.js'

// Written by the tools themselves from the texts below, for example with `bzip2 -1 -c`, `xz -6 -c`, `zstd -c`.
const ARCHIVES: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(new URL('archives.json', import.meta.url), 'utf8'),
)

const twoDigits = (number: number) => String(number).padStart(2, '0')
const TEXTS = {
  log: Buffer.from(
    Array.from({ length: 6000 }, (_, i) => {
      return `2026-03-01T12:${twoDigits(i % 60)}:${twoDigits(i % 60)}Z INFO worker-${i % 4} handled a request\n`
    }).join(''),
  ),
  runs: Buffer.concat(Array.from({ length: 300 }, (_, length) => Buffer.alloc(length, length % 256))),
  random: randomBytes(700),
  zeros: Buffer.alloc(1 << 20),
  empty: Buffer.alloc(0),
}

function randomBytes(count: number): Buffer {
  let seed = 1
  const next = () => {
    seed = (seed * 48271) % 2147483647
    return seed & 255
  }
  return Buffer.from(Array.from({ length: count }, next))
}

function archive(name: string): Buffer {
  const [text, extension] = name.split('.') as [keyof typeof TEXTS, string]
  return extension === 'gz' ? gzipSync(TEXTS[text]) : Buffer.from(ARCHIVES[name], 'base64')
}

/** Compared instead of a text: thousands of times faster than byte by byte. */
function digest(text: Uint8Array): string {
  return `${text.length} bytes ${createHash('sha1').update(text).digest('hex')}`
}

function isStartOf(start: Buffer, text: Buffer): boolean {
  return start.equals(text.subarray(0, start.length))
}

/** Decompresses data that is read in pieces of the given size. Returns the text, and the message of the failure if there was one. */
async function unpack(decompress: Decompressor, packed: Uint8Array, piece = 65536) {
  let at = 0
  const chunks: Buffer[] = []
  const read = (into: Uint8Array) => {
    const bytes = packed.subarray(at, at + Math.min(piece, into.length))
    into.set(bytes)
    at += bytes.length
    return bytes.length
  }
  try {
    for await (const chunk of decompress(read)) chunks.push(Buffer.from(chunk))
    return { text: Buffer.concat(chunks), failure: undefined }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return { text: Buffer.concat(chunks), failure: error.message }
  }
}

async function expectText(decompress: Decompressor, packed: Uint8Array, text: Uint8Array, piece?: number) {
  const unpacked = await unpack(decompress, packed, piece)
  expect({ failure: unpacked.failure, text: digest(unpacked.text) }).toEqual({ failure: undefined, text: digest(text) })
}

const KINDS: readonly { name: string; extension: string; kind: Compression; load: () => Promise<Decompressor> }[] = [
  { name: 'gzip', extension: 'gz', kind: 'gzip', load: DECOMPRESSORS.gzip },
  { name: 'bzip2', extension: 'bz2', kind: 'bzip2', load: DECOMPRESSORS.bzip2 },
  { name: 'xz', extension: 'xz', kind: 'xz', load: DECOMPRESSORS.xz },
  { name: 'zstd, with the decoder for this version of Node', extension: 'zst', kind: 'zstd', load: DECOMPRESSORS.zstd },
  { name: 'zstd, with WebAssembly', extension: 'zst', kind: 'zstd', load: async () => unzstdWithWasm },
]

describe.each(KINDS)('$name', ({ extension, kind, load }) => {
  const named = (text: string) => archive(`${text}.${extension}`)

  it.each(['log', 'runs', 'random', 'zeros', 'empty'] as const)('decompresses %s', async (name) => {
    await expectText(await load(), named(name), TEXTS[name])
  })

  it('gives the same text however the data is divided into reads', async () => {
    const text = Buffer.concat([TEXTS.runs, TEXTS.random])
    const packed = Buffer.concat([named('runs'), named('random')])
    for (const piece of [1, 2, 3, 7, 100, 1021]) {
      await expectText(await load(), packed, text, piece)
    }
  })

  it('decompresses concatenated archives', async () => {
    const names = ['log', 'empty', 'random', 'empty', 'runs'] as const
    const text = Buffer.concat(names.map((name) => TEXTS[name]))
    await expectText(await load(), Buffer.concat(names.map(named)), text)
  })

  it('reports truncated data wherever it ends, after the text before that', async () => {
    const packed = named('random')
    const decompress = await load()
    for (let length = 1; length < packed.length; length++) {
      const { text, failure } = await unpack(decompress, packed.subarray(0, length))
      expect({ length, failure }).toEqual({ length, failure: `truncated ${kind} data: the archive ends early` })
      expect(isStartOf(text, TEXTS.random)).toBe(true)
    }
  })

  it('returns everything that precedes a failure', async () => {
    const packed = Buffer.concat([named('log'), named('random').subarray(0, 40)])
    const { text, failure } = await unpack(await load(), packed)
    expect(failure).toBe(`truncated ${kind} data: the archive ends early`)
    expect(isStartOf(TEXTS.log, text)).toBe(true)
  })

  it('reports other bytes after the archive', async () => {
    const { text, failure } = await unpack(await load(), Buffer.concat([named('runs'), Buffer.from('and more text')]))
    expect(failure).toBe(`corrupt ${kind} data: check the archive with ${kind} -t`)
    expect(isStartOf(text, TEXTS.runs)).toBe(true)
  })

  it('never returns other text for a changed archive, and never crashes', async () => {
    const decompress = await load()
    const packed = named('runs')
    await fc.assert(
      fc.asyncProperty(fc.nat(packed.length - 1), fc.integer({ min: 1, max: 255 }), async (at, change) => {
        const changed = Buffer.from(packed)
        changed[at] ^= change
        const { text, failure } = await unpack(decompress, changed)
        // Some bytes do not matter: a time, a name, the level.
        if (failure === undefined) expect(digest(text)).toBe(digest(TEXTS.runs))
      }),
      { numRuns: 300 },
    )
  })

  it('never crashes on bytes that only start like an archive', async () => {
    const decompress = await load()
    const start = named('runs').subarray(0, 10)
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 500 }), async (rest) => {
        const { failure } = await unpack(decompress, Buffer.concat([start, rest]))
        expect(failure).toMatch(new RegExp(`^(truncated|corrupt) ${kind} data: |^${kind} data that needs `))
      }),
      { numRuns: 300 },
    )
  })
})

describe('kinds of archives', () => {
  it.each([
    ['blocks.xz', 'log'],
    ['crc32.xz', 'runs'],
    ['best.zst', 'log'],
    ['fast.zst', 'runs'],
    ['no-check.zst', 'runs'],
  ] as const)('decompresses %s', async (name, text) => {
    const load = name.endsWith('.xz') ? DECOMPRESSORS.xz : DECOMPRESSORS.zstd
    await expectText(await load(), archive(name), TEXTS[text])
    if (name.endsWith('.zst')) await expectText(unzstdWithWasm, archive(name), TEXTS[text])
  })

  it.each([
    ['sha256.xz', 'xz data that needs an unusual filter or check: unpack it with xz -dc'],
    ['large-dictionary.xz', 'xz data that needs a dictionary above 64 MiB: unpack it with xz -dc'],
    ['large-window.zst', 'zstd data that needs a window above 128 MiB: unpack it with zstd -dc --long=31'],
  ])('says how to decompress %s', async (name, failure) => {
    const load = name.endsWith('.xz') ? DECOMPRESSORS.xz : DECOMPRESSORS.zstd
    expect(await unpack(await load(), archive(name))).toEqual({ text: TEXTS.empty, failure })
  })

  it('accepts zeros after gzip data', async () => {
    const packed = Buffer.concat([archive('runs.gz'), Buffer.alloc(100_000)])
    await expectText(await DECOMPRESSORS.gzip(), packed, TEXTS.runs)
  })

  it('accepts zeros between xz streams', async () => {
    const packed = Buffer.concat([archive('runs.xz'), Buffer.alloc(8), archive('log.xz'), Buffer.alloc(4)])
    const text = Buffer.concat([TEXTS.runs, TEXTS.log])
    await expectText(await DECOMPRESSORS.xz(), packed, text)
  })

  it('skips zstd frames that hold no data', async () => {
    const note = Buffer.concat([Buffer.from([0x53, 0x2a, 0x4d, 0x18, 0xa0, 0x86, 0x01, 0x00]), Buffer.alloc(100_000)])
    const packed = Buffer.concat([note, archive('runs.zst'), note])
    for (const decompress of [unzstdWithWasm, await DECOMPRESSORS.zstd()]) {
      await expectText(decompress, packed, TEXTS.runs)
    }
  })

  it('refuses a zstd block that claims to be larger than the format allows', async () => {
    const run = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58, 0xfb, 0xff, 0xff, 0x00])
    expect((await unpack(unzstdWithWasm, run)).failure).toMatch(/^corrupt zstd data/)
  })

  it('is not slowed down by zstd blocks that each request thousands of copies of 64 KiB', async () => {
    // No literals, 98047 sequences, always the same codes: no literal, the last distance, the longest copy.
    const block = [0x00, 0xff, 0xff, 0xff, 0x54, 0, 0, 52, 0x01]
    const header = [(block.length << 3) | (2 << 1), 0, 0]
    const blocks = Array.from({ length: 10_000 }, () => [...header, ...block]).flat()
    const packed = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58, ...blocks])
    for (const decompress of [unzstdWithWasm, await DECOMPRESSORS.zstd()]) {
      expect((await unpack(decompress, packed)).failure).toMatch(/^corrupt zstd data/)
    }
  })

  it('frees the memory of a corrupt zstd frame', async () => {
    // A window of 128 MiB, and a compressed block that is too short. WebAssembly has at most 4 GiB of memory.
    const packed = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x88, (1 << 3) | (2 << 1), 0, 0, 0])
    for (let i = 0; i < 40; i++) {
      expect((await unpack(unzstdWithWasm, packed)).failure).toMatch(/^corrupt zstd data/)
    }
  })
})
