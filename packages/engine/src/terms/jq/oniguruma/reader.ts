import { TermError } from '../../condition.js'

const CONTROLS: Readonly<Record<string, number>> = { t: 9, n: 10, v: 11, f: 12, r: 13, a: 7, e: 27 }

/** Reads a pattern from left to right. `at` is an index into `text`, in UTF-16 units. */
export class OnigReader {
  readonly text: string
  at = 0

  constructor(text: string) {
    this.text = text
  }

  get ended(): boolean {
    return this.at >= this.text.length
  }

  /** One UTF-16 unit, without moving; '' after the end. */
  peek(ahead = 0): string {
    return this.text.charAt(this.at + ahead)
  }

  accept(text: string): boolean {
    if (!this.text.startsWith(text, this.at)) return false
    this.at += text.length
    return true
  }

  /** Takes what a sticky expression matches here. */
  take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.at
    const match = pattern.exec(this.text)
    if (match === null) return undefined
    this.at = pattern.lastIndex
    return match
  }

  /** Takes one code point. */
  next(): number {
    const code = this.text.codePointAt(this.at)
    if (code === undefined) throw syntaxError('end pattern at escape', this.at)
    this.at += code > 0xffff ? 2 : 1
    return code
  }

  /** Takes an escaped character, of which the backslash has been read. */
  nextEscaped(): number {
    const hex = this.take(/x(?:\{([0-9a-fA-F]{1,8})\}|([0-9a-fA-F]{0,2}))/y)
    if (hex !== undefined) return this.#checked(Number.parseInt(hex[1] ?? `0${hex[2]}`, 16))
    const braced = this.take(/o\{([0-7]{1,11})\}/y)
    if (braced !== undefined) return this.#checked(Number.parseInt(braced[1]!, 8))
    const octal = this.take(/[0-7]{1,3}/y)
    if (octal !== undefined) return Number.parseInt(octal[0], 8) & 0xff
    if (this.accept('c')) return this.next() & 0x1f
    const control = CONTROLS[this.peek()]
    if (control === undefined) return this.next()
    this.at++
    return control
  }

  #checked(code: number): number {
    if (code > 0x10ffff) throw syntaxError('too big wide-char value', this.at)
    return code
  }
}

/** The code of a `TermError` about a pattern that jq accepts and Omen does not. */
export const UNSUPPORTED = 'regex-unsupported'

/** An error about a pattern that jq refuses too, with jq's message. */
export function syntaxError(message: string, offset: number): TermError {
  return new TermError('regex-syntax', message, offset)
}
