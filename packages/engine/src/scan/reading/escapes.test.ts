import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { READING_KERNELS } from '../../../test/reading/kernels.js'
import { ESCAPES } from '../../../test/reading/logs.js'
import { readAll } from '../../../test/reading/read.js'
import { fromLatin1, latin1, withoutEscapes } from '../../../test/reading/slow-lines.js'
import { removeEscapes } from './escapes.js'

function remove(text: string): string {
  const bytes = fromLatin1(text)
  return latin1(bytes.subarray(0, removeEscapes(bytes, 0, bytes.length)))
}

describe('escape sequences', () => {
  it.each([
    ['colours', '\x1b[31mFATAL:\x1b[0m x \x1b[1;38;5;196my\x1b[m', 'FATAL: x y'],
    ['cursor movements', 'a\x1b[2K\x1b[1Gb\x1b[?25lc', 'abc'],
    ['a hyperlink that ends with BEL', '\x1b]8;;https://x/\x07text\x1b]8;;\x07!', 'text!'],
    ['a hyperlink that ends with ST', '\x1b]8;id=1;https://x/\x1b\\text\x1b]8;;\x1b\\!', 'text!'],
    ['the character set of tput sgr0', '\x1b(B\x1b[mtext', 'text'],
    ['sequences of two bytes', 'a\x1bMb\x1b7c\x1bcd', 'abcd'],
    ['an escape byte alone', 'a\x1b', 'a'],
    ['a sequence that is cut', 'a\x1b[31', 'a[31'],
    ['a string without an end', 'a\x1b]0;b\x1b]0;c\x1b[0m', 'a]0;b]0;c'],
    ['a sequence inside another', '\x1b\x1b[0m[31mx', '[31mx'],
  ])('%s are removed', (_, text, expected) => {
    expect(remove(text)).toBe(expected)
  })

  it('are removed as the expression of the oracle says, and no escape byte is left', () => {
    const piece = fc.constantFrom(...ESCAPES, 'a', ' ', '[', ']', 'm', '\\', '\x07', '\xff', '\0')
    fc.assert(
      fc.property(
        fc.array(piece).map((pieces) => pieces.join('')),
        (text) => {
          expect(remove(text)).toBe(withoutEscapes(text))
          expect(remove(text)).not.toContain('\x1b')
        },
      ),
    )
  })
})

describe.each(READING_KERNELS)('entries on the %s kernel', (_, makeKernel) => {
  const texts = (log: string) => readAll(makeKernel, fromLatin1(log)).entries.map(({ text }) => text)

  it('have no colours, also in lines that are folded and before the time', () => {
    expect(
      texts(
        '\x1b[90m2026-03-01T12:00:01Z\x1b[0m \x1b[31mERROR\x1b[0m x\n\tat \x1b[1my\n2026-03-01T12:00:02Z z\x1b[K\r\n',
      ),
    ).toEqual(['ERROR x\n\tat y', 'z'])
  })

  it('have no colours that Docker wrote as escapes', () => {
    const record = (log: string) => `${JSON.stringify({ log, stream: 'stdout', time: '2026-03-01T12:00:01Z' })}\n`
    expect(texts(record('\x1b[31mFATAL\x1b[0m "x" \\\n') + record('y\x1b[0m\n'))).toEqual(['FATAL "x" \\', 'y'])
  })

  it('are read the same when a coloured piece of a container must wait for the entries before it', () => {
    const at = (second: number) => `2026-03-01T12:00:0${second}Z`
    const lines = [
      `${at(1)} stdout P a\x1b[1m`,
      `${at(2)} stderr F b`,
      `${at(3)} stdout F \x1b[31mc\x1b[0m`,
      `${at(4)} stdout F d`,
    ]
    expect(texts(lines.join('\n'))).toEqual(['b', 'ac', 'd'])
  })
})
