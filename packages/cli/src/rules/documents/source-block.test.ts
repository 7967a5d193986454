import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { blockAt } from './source-block.js'

const TEXT = `rules:
  # about the first
  - cre:
      id: A-1
      text: |
        one

        two
  # about the second
  - cre: {}

other: 1
`

describe('the block of an item', () => {
  it('has the comments above it and ends before the next item', () => {
    expect(blockAt(TEXT, TEXT.indexOf('cre:'))).toEqual({
      line: 2,
      lines: TEXT.split('\n').slice(1, 8),
    })
    expect(blockAt(TEXT, TEXT.indexOf('cre: {}'))).toEqual({ line: 9, lines: ['  # about the second', '  - cre: {}'] })
  })

  it('supports both kinds of line ends', () => {
    expect(blockAt('a:\r\n  - b\r\n  - c\r\n', 8)).toEqual({ line: 2, lines: ['  - b'] })
  })

  it('is found at any offset of any text', () => {
    const textAndOffset = fc.string().chain((text) => fc.tuple(fc.constant(text), fc.nat(text.length)))
    fc.assert(fc.property(textAndOffset, ([text, offset]) => blockAt(text, offset).lines.length > 0))
  })
})
