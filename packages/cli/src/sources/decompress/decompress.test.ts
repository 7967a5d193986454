import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Failure } from '../../failure.js'
import type { Compression } from '../compression.js'
import { DECOMPRESSORS } from './decompress.js'
import type { Decompressor } from './decompressor.js'
import { unzstdHere } from './unzstd.js'

// Made by the tools themselves from the texts below, such as `bzip2 -1 -c`, `xz -6 -c`, `zstd -c`.
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

/** Stands for a text where it is compared: thousands of times faster than byte by byte. */
function print(text: Uint8Array): string {
  return `${text.length} bytes ${createHash('sha1').update(text).digest('hex')}`
}

function isStartOf(start: Buffer, text: Buffer): boolean {
  return start.equals(text.subarray(0, start.length))
}

/** Unpacks data that comes in pieces of some size; what was unpacked, and the fault if there was one. */
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
    return { text: Buffer.concat(chunks), fault: undefined }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return { text: Buffer.concat(chunks), fault: error.message }
  }
}

async function expectText(decompress: Decompressor, packed: Uint8Array, text: Uint8Array, piece?: number) {
  const unpacked = await unpack(decompress, packed, piece)
  expect({ fault: unpacked.fault, text: print(unpacked.text) }).toEqual({ fault: undefined, text: print(text) })
}

const KINDS: readonly { name: string; extension: string; kind: Compression; load: () => Promise<Decompressor> }[] = [
  { name: 'gzip', extension: 'gz', kind: 'gzip', load: DECOMPRESSORS.gzip },
  { name: 'bzip2', extension: 'bz2', kind: 'bzip2', load: DECOMPRESSORS.bzip2 },
  { name: 'xz', extension: 'xz', kind: 'xz', load: DECOMPRESSORS.xz },
  { name: 'zstd, as this Node does it', extension: 'zst', kind: 'zstd', load: DECOMPRESSORS.zstd },
  { name: 'zstd, on this thread', extension: 'zst', kind: 'zstd', load: async () => unzstdHere },
]

describe.each(KINDS)('$name', ({ extension, kind, load }) => {
  const named = (text: string) => archive(`${text}.${extension}`)

  it.each(['log', 'runs', 'random', 'zeros', 'empty'] as const)('unpacks %s', async (name) => {
    await expectText(await load(), named(name), TEXTS[name])
  })

  it('does not depend on how the data is cut', async () => {
    const text = Buffer.concat([TEXTS.runs, TEXTS.random])
    const packed = Buffer.concat([named('runs'), named('random')])
    for (const piece of [1, 2, 3, 7, 100, 1021]) {
      await expectText(await load(), packed, text, piece)
    }
  })

  it('unpacks archives that were put one behind the other', async () => {
    const names = ['log', 'empty', 'random', 'empty', 'runs'] as const
    const text = Buffer.concat(names.map((name) => TEXTS[name]))
    await expectText(await load(), Buffer.concat(names.map(named)), text)
  })

  it('tells of an end that comes too early, wherever it comes, after what was there', async () => {
    const packed = named('random')
    const decompress = await load()
    for (let length = 1; length < packed.length; length++) {
      const { text, fault } = await unpack(decompress, packed.subarray(0, length))
      expect({ length, fault }).toEqual({ length, fault: `truncated ${kind} data: the archive ends early` })
      expect(isStartOf(text, TEXTS.random)).toBe(true)
    }
  })

  it('gives everything that comes before a fault', async () => {
    const packed = Buffer.concat([named('log'), named('random').subarray(0, 40)])
    const { text, fault } = await unpack(await load(), packed)
    expect(fault).toBe(`truncated ${kind} data: the archive ends early`)
    expect(isStartOf(TEXTS.log, text)).toBe(true)
  })

  it('tells of other bytes behind the archive', async () => {
    const { text, fault } = await unpack(await load(), Buffer.concat([named('runs'), Buffer.from('and more text')]))
    expect(fault).toBe(`corrupt ${kind} data: check the archive with ${kind} -t`)
    expect(isStartOf(text, TEXTS.runs)).toBe(true)
  })

  it('never gives other text for a changed archive, and never breaks', async () => {
    const decompress = await load()
    const packed = named('runs')
    await fc.assert(
      fc.asyncProperty(fc.nat(packed.length - 1), fc.integer({ min: 1, max: 255 }), async (at, change) => {
        const changed = Buffer.from(packed)
        changed[at] ^= change
        const { text, fault } = await unpack(decompress, changed)
        // Some bytes mean nothing: a time, a name, the level.
        if (fault === undefined) expect(print(text)).toBe(print(TEXTS.runs))
      }),
      { numRuns: 300 },
    )
  })

  it('never breaks on bytes that only start like an archive', async () => {
    const decompress = await load()
    const start = named('runs').subarray(0, 10)
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 500 }), async (rest) => {
        const { fault } = await unpack(decompress, Buffer.concat([start, rest]))
        expect(fault).toMatch(new RegExp(`^(truncated|corrupt) ${kind} data: |^${kind} data that needs `))
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
  ] as const)('unpacks %s', async (name, text) => {
    const load = name.endsWith('.xz') ? DECOMPRESSORS.xz : DECOMPRESSORS.zstd
    await expectText(await load(), archive(name), TEXTS[text])
    if (name.endsWith('.zst')) await expectText(unzstdHere, archive(name), TEXTS[text])
  })

  it.each([
    ['sha256.xz', 'xz data that needs a filter or a check that is seldom used: unpack it with xz -dc'],
    ['large-dictionary.xz', 'xz data that needs a dictionary above 64 MiB: unpack it with xz -dc'],
    ['large-window.zst', 'zstd data that needs a window above 128 MiB: unpack it with zstd -dc --long=31'],
  ])('says what to do about %s', async (name, fault) => {
    const load = name.endsWith('.xz') ? DECOMPRESSORS.xz : DECOMPRESSORS.zstd
    expect(await unpack(await load(), archive(name))).toEqual({ text: TEXTS.empty, fault })
  })

  it('lets zeros follow gzip data', async () => {
    const packed = Buffer.concat([archive('runs.gz'), Buffer.alloc(100_000)])
    await expectText(await DECOMPRESSORS.gzip(), packed, TEXTS.runs)
  })

  it('lets zeros stand between xz streams', async () => {
    const packed = Buffer.concat([archive('runs.xz'), Buffer.alloc(8), archive('log.xz'), Buffer.alloc(4)])
    const text = Buffer.concat([TEXTS.runs, TEXTS.log])
    await expectText(await DECOMPRESSORS.xz(), packed, text)
  })

  it('leaves out zstd frames that hold no data', async () => {
    const note = Buffer.concat([Buffer.from([0x53, 0x2a, 0x4d, 0x18, 0xa0, 0x86, 0x01, 0x00]), Buffer.alloc(100_000)])
    const packed = Buffer.concat([note, archive('runs.zst'), note])
    for (const decompress of [unzstdHere, await DECOMPRESSORS.zstd()]) {
      await expectText(decompress, packed, TEXTS.runs)
    }
  })

  it('refuses a zstd block that says it is larger than any is', async () => {
    const run = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58, 0xfb, 0xff, 0xff, 0x00])
    expect((await unpack(unzstdHere, run)).fault).toMatch(/^corrupt zstd data/)
  })

  it('is not held up by a zstd block that asks for thousands of copies of 64 KiB', async () => {
    // No literals, 98047 sequences, always the same codes: no literal, the last distance, the longest copy.
    const block = [0x00, 0xff, 0xff, 0xff, 0x54, 0, 0, 52, 0x01]
    const header = [(block.length << 3) | (2 << 1), 0, 0]
    const blocks = Array.from({ length: 10_000 }, () => [...header, ...block]).flat()
    const packed = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58, ...blocks])
    for (const decompress of [unzstdHere, await DECOMPRESSORS.zstd()]) {
      expect((await unpack(decompress, packed)).fault).toMatch(/^corrupt zstd data/)
    }
  })
})
