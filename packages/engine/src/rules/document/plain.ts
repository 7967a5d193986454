import { flowAt } from './plain-flow.js'
import { isRestOfLine, NotPlain, type ScalarText, scalarAt, skipSpaces, trimSpaces } from './plain-scalar.js'
import type { DocumentNode, MapEntry, ParsedFile, ScalarNode } from './tree.js'

const SPACE = 0x20
const HASH = 0x23
const DASH = 0x2d

/** Deeper or larger documents than this are left to the general parser, which reports what is wrong with them. */
const MAX_DEPTH = 32
const MAX_NODES = 2_000_000

const KEY = /[A-Za-z_][A-Za-z0-9_.-]{0,99}(?=:(?: |$))/my

/**
 * Parses the plain form of YAML in which nearly all rules are written: block maps and lists, plain scalars, quoted ones
 * and flow collections on one line, literal and folded blocks, comments. Anything else, right or wrong, gives undefined
 * and is left to the general parser; what is accepted gives exactly the tree that the general parser gives. It takes
 * less than a tenth of the time, because it reads lines instead of single characters, and is always loaded: see
 * docs/decisions/0013-fast-yaml-reader.md.
 */
export function parsePlain(text: string): ParsedFile | undefined {
  if (text.includes('\r')) return undefined
  try {
    return { documents: new PlainReader(text).readStream(), problems: [] }
  } catch (error) {
    if (error instanceof NotPlain) return undefined
    throw error
  }
}

/** Reads line by line; the current line is always one with content, or the end of a document. */
class PlainReader {
  readonly #text: string
  /** Where the line after the current one starts. */
  #next = 0
  /** Spaces before the content of the current line; -1 at `---` and at the end, so that every block ends there. */
  #indent = -1
  /** The content of the current line, from its first to its last character that is not a space. */
  #from = 0
  #to = 0
  /** The first tab at or after the current line. */
  #tab: number
  #nodes = 0

  constructor(text: string) {
    this.#text = text
    this.#tab = text.indexOf('\t')
  }

  readStream(): DocumentNode[] {
    const documents: DocumentNode[] = []
    while (this.#advance()) {
      if (this.#indent === -1) continue
      documents.push(this.#block(0))
      if (this.#indent !== -1) throw new NotPlain()
    }
    return documents
  }

  /** Moves to the next line with content. False at the end of the file. */
  #advance(): boolean {
    const text = this.#text
    for (let start = this.#next; start < text.length; start = this.#next) {
      const end = this.#lineEnd(start)
      this.#next = end + 1
      const from = skipSpaces(text, start)
      if (from === end || text.charCodeAt(from) === HASH) continue
      this.#from = from
      this.#to = trimSpaces(text, from, end)
      this.#refuseTabs(start)
      this.#indent = from === start && this.#isMarker() ? -1 : from - start
      return true
    }
    this.#from = text.length
    this.#indent = -1
    return false
  }

  #lineEnd(start: number): number {
    const end = this.#text.indexOf('\n', start)
    return end === -1 ? this.#text.length : end
  }

  #refuseTabs(start: number): void {
    if (this.#tab !== -1 && this.#tab < start) this.#tab = this.#text.indexOf('\t', start)
    if (this.#tab !== -1 && this.#tab < this.#next) throw new NotPlain()
  }

  #isMarker(): boolean {
    const text = this.#text
    if (text.startsWith('...', this.#from)) throw new NotPlain()
    return text.startsWith('---', this.#from) && this.#to === this.#from + 3
  }

  #block(depth: number): DocumentNode {
    if (depth > MAX_DEPTH) throw new NotPlain()
    return this.#isDash(this.#from) ? this.#list(this.#indent, depth) : this.#map(this.#indent, depth)
  }

  #isDash(at: number): boolean {
    if (this.#text.charCodeAt(at) !== DASH) return false
    return at + 1 >= this.#to || this.#text.charCodeAt(at + 1) === SPACE
  }

  #map(column: number, depth: number): DocumentNode {
    const start = this.#from
    const entries = new Map<string, MapEntry>()
    while (this.#indent === column) {
      const at = this.#from
      const key = this.#keyAt(at)
      if (key === undefined || entries.has(key)) throw new NotPlain()
      entries.set(key, { start: at, value: this.#value(at + key.length + 1, column, depth, true) })
    }
    if (this.#indent > column) throw new NotPlain()
    return this.#count({ kind: 'map', start, entries })
  }

  #keyAt(at: number): string | undefined {
    KEY.lastIndex = at
    return KEY.exec(this.#text)?.[0]
  }

  #list(column: number, depth: number): DocumentNode {
    const start = this.#from
    const items: DocumentNode[] = []
    while (this.#indent === column && this.#isDash(this.#from)) {
      const at = skipSpaces(this.#text, this.#from + 1)
      if (at >= this.#to || this.#keyAt(at) === undefined) {
        if (this.#isDash(at)) throw new NotPlain()
        items.push(this.#value(this.#from + 1, column, depth, false))
      } else {
        this.#indent += at - this.#from
        this.#from = at
        items.push(this.#block(depth + 1))
      }
    }
    if (this.#indent > column) throw new NotPlain()
    return this.#count({ kind: 'list', start, items })
  }

  /** The value after a key or a dash. Under a key, a list may start in the column of the key itself. */
  #value(after: number, column: number, depth: number, underKey: boolean): DocumentNode {
    const at = skipSpaces(this.#text, after)
    if (at < this.#to && this.#text.charCodeAt(at) !== HASH) {
      const isFlow = this.#text[at] === '[' || this.#text[at] === '{'
      return isFlow ? this.#flow(at) : this.#scalar(at, column)
    }
    this.#advance()
    const isNested = this.#indent > column || (underKey && this.#indent === column && this.#isDash(this.#from))
    if (isNested) return this.#block(depth + 1)
    return this.#count({ kind: 'scalar', start: after, end: after, style: 'plain', isText: false, text: '' })
  }

  #flow(at: number): DocumentNode {
    const { node, end } = flowAt(this.#text, at)
    if (end > this.#to || !isRestOfLine(this.#text.slice(end, this.#to))) throw new NotPlain()
    // Each node takes a character and something to set it apart.
    this.#nodes += (end - at) >> 1
    this.#advance()
    return this.#count(node)
  }

  #scalar(at: number, column: number): ScalarNode {
    const scalar: ScalarText = scalarAt(this.#text, at, this.#to, column)
    if (scalar.next !== undefined) this.#next = scalar.next
    this.#advance()
    const { end, style, text } = scalar
    return this.#count({ kind: 'scalar', start: at, end, style, isText: style !== 'plain', text })
  }

  #count<T extends DocumentNode>(node: T): T {
    this.#nodes++
    if (this.#nodes > MAX_NODES) throw new NotPlain()
    return node
  }
}
