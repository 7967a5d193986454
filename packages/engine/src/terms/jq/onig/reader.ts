import { OnigError } from './node.js'

const CONTROLS: Readonly<Record<string, number>> = { t: 9, n: 10, v: 11, f: 12, r: 13, a: 7, e: 27 }

/** A position in a pattern. */
export class OnigReader {
  readonly text: string
  at = 0

  constructor(text: string) {
    this.text = text
  }

  get ended(): boolean {
    return this.at >= this.text.length
  }

  /** A UTF-16 unit without moving, '' behind the end. */
  peek(ahead = 0): string {
    return this.text.charAt(this.at + ahead)
  }

  accept(text: string): boolean {
    if (!this.text.startsWith(text, this.at)) return false
    this.at += text.length
    return true
  }

  take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.at
    const match = pattern.exec(this.text)
    if (match === null) return undefined
    this.at = pattern.lastIndex
    return match
  }

  /** The next code point. */
  next(): number {
    const code = this.text.codePointAt(this.at)
    if (code === undefined) throw new OnigError('end pattern at escape', this.at)
    this.at += code > 0xffff ? 2 : 1
    return code
  }

  /** The character that an escape stands for; the reader stands behind the backslash. */
  nextEscaped(): number {
    const hex = this.take(/x(?:\{([0-9a-fA-F]{1,8})\}|([0-9a-fA-F]{0,2}))/y)
    if (hex !== undefined) return this.#checked(Number.parseInt(hex[1] ?? `0${hex[2]}`, 16))
    const octal = this.take(/[0-7]{1,3}/y)
    if (octal !== undefined) return Number.parseInt(octal[0], 8) & 0xff
    if (this.accept('c')) return this.next() & 0x1f
    const control = CONTROLS[this.peek()]
    if (control === undefined) return this.next()
    this.at++
    return control
  }

  #checked(code: number): number {
    if (code > 0x10ffff) throw new OnigError('too big wide-char value', this.at)
    return code
  }
}
