import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Screen } from '../screen.js'
import { codewordsOf } from './codewords.js'
import { encodeQr } from './encode.js'
import { correctionFor, multiply, powerOfTwo } from './galois.js'
import { penaltyOf } from './penalty.js'
import { renderQr } from './render.js'
import { drawSymbol, formatBits, MASKS, places, type QrSymbol, versionBits } from './symbol.js'
import { dataBytesOf, type Level, lengthBitsOf, VERSIONS } from './versions.js'

/** Reads a symbol as a reader does that sees it without errors; throws where anything is not as the standard has it. */
function decode(symbol: QrSymbol): { text: string; version: number; level: Level } {
  const { size, modules } = symbol
  const at = (row: number, column: number) => modules[row * size + column]!
  const version = VERSIONS[(size - 17) / 4 - 1]!
  const beside = [0, 1, 2, 3, 4, 5, 7, 8].map((row) => at(row, 8))
  const below = [7, 5, 4, 3, 2, 1, 0].map((column) => at(8, column))
  const format = [...beside, ...below].reduce((sum, bit, place) => sum | (bit << place), 0)
  const found = (['L', 'M'] as const).flatMap((level) =>
    MASKS.flatMap((_, mask) => (formatBits(level, mask) === format ? [{ level, mask }] : [])),
  )
  const { level, mask } = found[0]!
  const bits = [...places(symbol)].map(([row, column]) => at(row, column) ^ Number(MASKS[mask]!(row, column)))
  const bytes = Uint8Array.from({ length: version.bytes }, (_, i) =>
    bits.slice(8 * i, 8 * i + 8).reduce((value, bit) => 2 * value + bit, 0),
  )
  const { count, correction } = version.blocks[level]
  const total = dataBytesOf(version, level)
  const blocks = Array.from({ length: count }, (): number[] => [])
  const short = Math.floor(total / count)
  const long = total % count
  let next = 0
  for (let i = 0; i <= short; i++) {
    for (const [index, block] of blocks.entries()) if (i < short || index >= count - long) block.push(bytes[next++]!)
  }
  const data = blocks.flat()
  for (let i = 0; i < correction; i++) for (const block of blocks) block.push(bytes[next++]!)
  for (const block of blocks) {
    for (let root = 0; root < correction; root++) {
      const value = block.reduce((sum, byte) => multiply(sum, powerOfTwo(root)) ^ byte, 0)
      if (value !== 0) throw new Error('a block has errors')
    }
  }
  const stream = data.map((byte) => byte.toString(2).padStart(8, '0')).join('')
  if (!stream.startsWith('0100')) throw new Error('not the mode of bytes')
  const start = 4 + lengthBitsOf(version)
  const length = Number.parseInt(stream.slice(4, start), 2)
  const content = Uint8Array.from({ length }, (_, i) =>
    Number.parseInt(stream.slice(start + 8 * i, start + 8 * i + 8), 2),
  )
  return { text: new TextDecoder().decode(content), version: version.number, level }
}

describe('a QR code', () => {
  it('is read as what was written, for every text that fits', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 130 }), (bytes) => {
        const text = Buffer.from(bytes).toString('latin1')
        expect(decode(encodeQr(text)!).text).toBe(text)
      }),
      { numRuns: 15 },
    )
  })

  // The capacities of the standard, table 7, for bytes at level L.
  it.each([17, 32, 53, 78, 106, 134, 154, 192, 230, 271].map((length, index) => [index + 1, length]))(
    'of version %i holds %i bytes, and no more',
    (version, length) => {
      expect(decode(encodeQr('x'.repeat(length))!)).toEqual({ text: 'x'.repeat(length), version, level: 'L' })
      const more = encodeQr('x'.repeat(length + 1))
      expect(more && (more.size - 17) / 4).toBe(version === 10 ? undefined : version + 1)
    },
  )

  it('has more correction where that costs no space', () => {
    expect(decode(encodeQr('x'.repeat(42))!)).toMatchObject({ version: 3, level: 'M' })
    expect(decode(encodeQr('x'.repeat(43))!)).toMatchObject({ version: 3, level: 'L' })
  })

  it('has the correction, the format and the version that the standard gives as examples', () => {
    const data = [32, 91, 11, 120, 209, 114, 220, 77, 67, 64, 236, 17, 236, 17, 236, 17]
    expect([...correctionFor(Uint8Array.from(data), 10)]).toEqual([196, 35, 39, 119, 235, 215, 231, 226, 93, 23])
    expect(formatBits('M', 0b101).toString(2).padStart(15, '0')).toBe('100000011001110')
    expect(formatBits('L', 4).toString(2).padStart(15, '0')).toBe('110011000101111')
    expect(versionBits(7).toString(2).padStart(18, '0')).toBe('000111110010010100')
  })

  it('is, module by module, the first figure of the standard', () => {
    const text = new TextEncoder().encode('QR Code Symbol')
    const version = VERSIONS[0]!
    const { modules } = drawSymbol(codewordsOf(text, version, 'M'), version, 'M', 5)
    const digest = createHash('sha256').update(modules.join('')).digest('hex')
    expect(digest).toBe('b2bd7ac588cd24fcf826bf435ad532e9efcda714d2a1284f08308a7b2b8caf66')
  })

  it('has its finders, its timing and its dark module where readers look for them', () => {
    const { size, modules } = encodeQr('omen')!
    const row = (number: number) => [...modules.subarray(number * size, (number + 1) * size)].join('')
    expect(size).toBe(21)
    for (const number of [0, 6]) expect(row(number)).toMatch(/^11111110.....01111111$/)
    expect(row(3)).toMatch(/^10111010.....01011101$/)
    expect(row(6).slice(6, 15)).toBe('101010101')
    expect(row(13)[8]).toBe('1')
    expect(row(20)).toMatch(/^11111110/)
  })

  it('is the easiest to read of all masks', () => {
    const even = { size: 11, modules: new Uint8Array(121), isPattern: new Uint8Array(121) }
    // 22 lines of 11 in a run, 100 squares, nothing dark at all.
    expect(penaltyOf(even)).toBe(22 * (3 + 6) + 100 * 3 + 100)
    const finder = { ...even, modules: even.modules.slice() }
    finder.modules.set([1, 0, 1, 1, 1, 0, 1, 0, 0, 0, 0], 0)
    const board = { ...even, modules: even.modules.map((_, place) => place % 2) }
    expect(penaltyOf(board)).toBe(0)
    expect(penaltyOf(finder)).toBeGreaterThan(40)
  })
})

describe('a QR code on a terminal', () => {
  const screen = (more: Partial<Screen> = {}): Screen => ({
    isTerminal: true,
    colours: true,
    columns: 80,
    rows: 40,
    write: () => {},
    ...more,
  })
  const URL = 'https://omen.example.com/device?user_code=WDJB-MJHT'

  it('has a line for two rows of modules, dark on light, with a margin', () => {
    const lines = renderQr(URL, screen(), 6)!.split('\n').slice(0, -1)
    expect(lines).toHaveLength(19)
    const bare = lines.map((line) => line.replace('\u001b[38;5;16;48;5;231m', '').replace('\u001b[0m', ''))
    for (const line of bare) expect(line).toMatch(/^ {4}[ ▀▄█]{29} {4}$/)
    expect(bare.slice(0, 3)).toEqual([' '.repeat(37), ' '.repeat(37), expect.stringMatching(/^ {4}█▀▀▀▀▀█ /)])
  })

  it('makes do with a smaller margin in a low window', () => {
    const lines = renderQr(URL, screen({ rows: 24 }), 6)!
      .split('\n')
      .slice(0, -1)
    expect(lines).toHaveLength(17)
  })

  it.each<[string, Partial<Screen>]>([
    ['a pipe', { isTerminal: false }],
    ['a terminal without colours', { colours: false }],
    ['a narrow window', { columns: 32 }],
    ['a low window', { rows: 20 }],
  ])('is left out in %s', (_, more) => {
    expect(renderQr(URL, screen(more), 6)).toBeUndefined()
  })

  it('is left out for an address that is too long', () => {
    expect(renderQr('x'.repeat(272), screen({ columns: 500, rows: 500 }), 0)).toBeUndefined()
  })
})
