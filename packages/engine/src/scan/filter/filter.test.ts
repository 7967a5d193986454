import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Kernel, type KernelFactory, loadKernel } from '../kernel/kernel.js'
import { plainKernel } from '../kernel/plain-kernel.js'
import { createFilter, type Filter, type FilterNeedle } from './filter.js'

interface Log {
  readonly text: Uint8Array
  /** Where the text of each entry starts and ends; bytes between them belong to no entry. */
  readonly ranges: readonly (readonly [start: number, end: number])[]
}

type Pair = [entry: number, needle: number]

/** Bytes that must be readable on either side of a text. */
const MARGIN = 64
const encoder = new TextEncoder()
const latin1 = new TextDecoder('latin1')

const needle = (text: string, fold = false, trigger = true): FilterNeedle => ({
  bytes: encoder.encode(fold ? text.toLowerCase() : text),
  fold,
  trigger,
})

const unique = (needles: readonly FilterNeedle[]): FilterNeedle[] => [
  ...new Map(needles.map((n) => [`${n.fold} ${n.bytes.join()}`, n])).values(),
]

/** Each line is an entry after its first `prefix` bytes. */
function logOf(content: string | Uint8Array, prefix = 0): Log {
  const text = typeof content === 'string' ? encoder.encode(content) : content
  const ranges: [number, number][] = []
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf(10, start)
    const end = newline < 0 ? text.length : newline
    ranges.push([Math.min(start + prefix, end), end])
    start = end + 1
  }
  return { text, ranges }
}

/** One character per byte, so that strings can be searched instead of bytes. */
const characters = (bytes: Uint8Array, fold: boolean): string => {
  const text = latin1.decode(bytes)
  return fold ? text.replace(/[A-Z]/g, (letter) => letter.toLowerCase()) : text
}

/** The oracle: a search with `includes`. */
function naivePairs(needles: readonly FilterNeedle[], { text, ranges }: Log): Pair[] {
  const patterns = needles.map(({ bytes }) => characters(bytes, false))
  const pairs: Pair[] = []
  ranges.forEach(([start, end], entry) => {
    const exact = characters(text.subarray(start, end), false)
    const folded = characters(text.subarray(start, end), true)
    needles.forEach(({ fold, trigger }, index) => {
      if (trigger !== false && (fold ? folded : exact).includes(patterns[index]!)) pairs.push([entry, index])
    })
  })
  return pairs
}

/** Writes a log to kernel memory, between bytes that must not affect the result. */
function store({ memory }: Kernel, { text, ranges }: Log): { at: number; starts: number; ends: number } {
  const at = memory.allocate(text.length + 2 * MARGIN) + MARGIN
  const starts = memory.allocate(ranges.length * 4)
  const ends = memory.allocate(ranges.length * 4)
  memory.u8.fill(0x61, at - MARGIN, at + text.length + MARGIN)
  memory.u8.set(text, at)
  ranges.forEach(([start, end], index) => {
    memory.u32[starts / 4 + index] = at + start
    memory.u32[ends / 4 + index] = at + end
  })
  return { at, starts, ends }
}

/**
 * Runs a filter over a log, `size` entries at a time. Entries must be reported in order; the needles of each are sorted.
 */
function run(kernel: Kernel, filter: Filter, log: Log, stored: ReturnType<typeof store>, size = 1e9): Pair[] {
  const { at, starts, ends } = stored
  const pairs: Pair[] = []
  for (let first = 0; first < log.ranges.length; first += size) {
    const count = Math.min(size, log.ranges.length - first)
    const from = at + (first === 0 ? 0 : log.ranges[first]![0])
    const to = first + count === log.ranges.length ? at + log.text.length : at + log.ranges[first + count - 1]![1]
    filter.run(from, to, count, starts + first * 4, ends + first * 4, (address, found) => {
      const view = kernel.memory.u32.subarray(address / 4, address / 4 + found * 2)
      for (let pair = 0; pair < found; pair++) pairs.push([first + view[pair * 2]!, view[pair * 2 + 1]!])
    })
  }
  for (let pair = 1; pair < pairs.length; pair++) {
    if (pairs[pair]![0] < pairs[pair - 1]![0]) throw new Error(`entry ${pairs[pair]![0]} after ${pairs[pair - 1]![0]}`)
  }
  return pairs.sort((a, b) => a[0] - b[0] || a[1] - b[1])
}

const kernels: readonly [string, KernelFactory][] = [
  ['plain', plainKernel],
  ['wasm', await loadKernel()],
]

/** Few different characters, so that needles occur, overlap, nest and repeat. */
const alphabets = ['ab', 'aA', 'abc \n', 'aAbBzZ@[`{\n', 'the error é漢ſK\n', 'abcdefghijklmnop 0123456789\n']
const anyString = (alphabet: string, minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...alphabet), minLength, maxLength })
const anyNeedle = (alphabet: string) =>
  fc
    .tuple(anyString(alphabet.replace('\n', ''), 1, 12), fc.integer({ min: 1, max: 5 }), fc.boolean(), fc.nat(9))
    .map(([text, times, fold, chance]) => needle(text.repeat(times), fold, chance > 0))
const anyCase = fc.constantFrom(...alphabets).chain((alphabet) =>
  fc.record({
    needles: fc.array(anyNeedle(alphabet), { maxLength: 24 }).map(unique),
    log: fc.tuple(anyString(alphabet, 0, 600), fc.nat(5)).map(([text, prefix]) => logOf(text, prefix)),
    size: fc.integer({ min: 1, max: 12 }),
    sample: fc.option(
      anyString(alphabet, 0, 300).map((text) => encoder.encode(text)),
      { nil: undefined },
    ),
  }),
)

describe.each(kernels)('the filter of the %s kernel', (name, makeKernel) => {
  function check(needles: readonly FilterNeedle[], log: Log, size?: number, sample?: Uint8Array): Pair[] {
    const kernel = makeKernel()
    const filter = createFilter(kernel, needles, sample && { sample })
    const pairs = run(kernel, filter, log, store(kernel, log), size)
    expect(pairs).toEqual(naivePairs(needles, log))
    return pairs
  }

  it('belongs to this kernel', () => {
    expect(makeKernel().name).toBe(name)
  })

  it('finds what the oracle finds', () => {
    fc.assert(
      fc.property(anyCase, ({ needles, log, size, sample }) => void check(needles, log, size, sample)),
      { numRuns: 300 },
    )
  })

  it('finds a needle at any position', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 1, maxLength: 64 }).filter((bytes) => !bytes.includes(10)),
        fc.uint8Array({ maxLength: 40 }),
        fc.uint8Array({ maxLength: 40 }),
        (bytes, before, after) => {
          const pairs = check([{ bytes, fold: false }], logOf(Uint8Array.of(...before, ...bytes, ...after)))
          expect(pairs.length).toBeGreaterThan(0)
        },
      ),
      { numRuns: 200 },
    )
  })

  it('finds needles across the boundaries of its passes', () => {
    const words = ['x', 'xy', 'xyz', 'wxyz', 'vwxyz', 'uvwxyz', 'tuvwxyz', 'abcdefghijklmnopqrstuvwxyz']
    const needles = words.map((word) => needle(word))
    for (let shift = 0; shift <= 32; shift++) {
      const line = `${' '.repeat(16_384 - 16 - shift)}abcdefghijklmnopqrstuvwxyz${' '.repeat(16_384)}\n`
      expect(check(needles, logOf(line))).toHaveLength(words.length)
    }
  })

  it('does not find needles across entries, before them or between them', () => {
    const needles = ['ab', 'abcd', 'abcdefghij', 'j'].map((text) => needle(text))
    const text = encoder.encode('abcdefghij abcdefghij abcdefghij')
    const ranges = [
      [1, 10],
      [11, 20],
      [20, 20],
      [20, 21],
      [22, 31],
    ] as const
    expect(check(needles, { text, ranges })).toEqual([
      [0, 3],
      [1, 0],
      [1, 1],
      [3, 3],
      [4, 0],
      [4, 1],
    ])
  })

  it('folds ASCII letters only', () => {
    const needles = [needle('k@[z', true), needle('connection', true), needle('straße', true), needle('s', true)]
    check(
      needles,
      logOf('K@[Z\nk@[z\nk`[z\nk@{z\nCONNECTION\nConNectIon\ncOnnectioN\nSTRASSE\nSTRAßE\nK\nſ\nConnect1on'),
    )
  })

  it('reports nothing without needles, without triggers, and without entries', () => {
    const log = logOf('some text\n')
    expect(check([], log)).toEqual([])
    expect(check([needle('some', false, false), needle('some text', true, false)], log)).toEqual([])
    expect(check([needle('some')], { text: log.text, ranges: [] })).toEqual([])
    expect(check([needle('some')], { text: new Uint8Array(), ranges: [] })).toEqual([])
  })

  it('reports each pair once, even if there are more than fit one call', () => {
    // Each needle occurs once in a line, so a pair that is lost when the pairs are full is not found again.
    const words = Array.from({ length: 90 }, (__, n) => (n % 3 === 0 ? `<${n}>` : `word-${n};`))
    const lines = Array.from({ length: 120 }, (__, n) => ' '.repeat(n % 5) + words.join(''))
    expect(
      check(
        words.map((word) => needle(word)),
        logOf(lines.join('\n')),
      ),
    ).toHaveLength(90 * 120)
  })

  it('reports each pair once, even if the needle occurs many times', () => {
    const needles = Array.from({ length: 40 }, (__, index) => needle('a'.repeat(index + 1)))
    expect(check(needles, logOf(`${'a'.repeat(48)}\n`.repeat(50)))).toHaveLength(40 * 50)
  })

  it.each([
    ['3 bytes', 3, 300],
    ['4 bytes', 4, 300],
    ['5 and 6 bytes', 5, 300],
    ['7 bytes and more', 7, 2000],
    ['7 bytes and more, too many for a table of bytes', 7, 4000],
  ])('finds hundreds of needles of %s', (__, length, count) => {
    const word = (number: number) =>
      Math.imul(number + 1, 0x9e3779b1)
        .toString(36)
        .replace('-', 'q')
        .repeat(2)
    const needles = Array.from({ length: count }, (___, n) => needle(word(n).slice(0, length + (n % 2)), n % 5 === 0))
    const lines = Array.from({ length: 400 }, (___, n) => `${n} ${word(n * 7)}-${word(n * 11).toUpperCase()} ${n * n}`)
    check(unique(needles), logOf(lines.join('\n'), 2))
  })

  it('finds everything after the text has changed and the tables were filled again', () => {
    const needles = ['connection refused', 'quorum lost', 'disk full', 'Zx9'].map((text) => needle(text))
    const calm = 'an uneventful line of one kind\n'.repeat(8192)
    const other = 'connection reused, quorum last, disk fill, Zx8 connection refute disk ful\n'.repeat(4096)
    const log = logOf(`${calm}quorum lost\n${other}disk full\n${other}Zx9 connection refused`)
    const kernel = makeKernel()
    const filter = createFilter(kernel, needles)
    const stored = store(kernel, log)
    const { buffer } = kernel.memory.u8
    for (let round = 0; round < 20; round++) expect(run(kernel, filter, log, stored, 4096)).toHaveLength(4)
    expect(filter.statistics.fills).toBeGreaterThan(1)
    expect(filter.statistics.pairs).toBe(20 * 4)
    expect(kernel.memory.u8.buffer, 'views of the memory must stay valid during a run').toBe(buffer)
  })

  it('takes a larger sample if the first text was too short', () => {
    const kernel = makeKernel()
    const filter = createFilter(kernel, [needle('connection refused')])
    for (const lines of [1, 1, 2, 20, 20, 4000, 4000, 8000]) {
      const log = logOf('a line of some length\n'.repeat(lines))
      expect(run(kernel, filter, log, store(kernel, log))).toEqual([])
    }
    expect(filter.statistics.fills).toBe(3)
  })

  it('distinguishes the entries of different runs', () => {
    const kernel = makeKernel()
    const filter = createFilter(kernel, [needle('same words'), needle('same')])
    const log = logOf('the same words\nthe same words')
    const stored = store(kernel, log)
    for (let round = 0; round < 3; round++) expect(run(kernel, filter, log, stored, 1)).toHaveLength(4)
  })

  it('finds the first occurrence of any needle within a range', () => {
    fc.assert(
      fc.property(anyCase, fc.nat(600), fc.nat(600), ({ needles, log, sample }, from, size) => {
        const kernel = makeKernel()
        const filter = createFilter(kernel, needles, sample && { sample })
        const { at } = store(kernel, log)
        const start = Math.min(from, log.text.length)
        const end = Math.min(start + size, log.text.length)
        needles.forEach(({ bytes, fold }, index) => {
          const position = characters(log.text.subarray(start, end), fold).indexOf(characters(bytes, false))
          expect(filter.find(index, at + start, at + end)).toBe(position < 0 ? -1 : at + start + position)
        })
      }),
      { numRuns: 150 },
    )
  })
})
