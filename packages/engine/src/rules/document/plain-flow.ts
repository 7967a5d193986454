import { isPairs, NotPlain, quotedAt, skipSpaces, startsPlain, trimSpaces } from './plain-scalar.js'
import type { DocumentNode, MapEntry } from './tree.js'

/** A node and the place after it. */
interface Read<T extends DocumentNode = DocumentNode> {
  readonly node: T
  readonly end: number
}

const MAX_DEPTH = 16

const KEY = /[A-Za-z_][A-Za-z0-9_.-]{0,99}(?=: )/y

/** Everything up to a character that has a meaning in a flow collection. */
const PLAIN = /[^,[\]{}\n]+/y

/** Reads a flow collection that starts at `at` and stays on its line, such as `{source: cre.log.kafka}` or `[a, b]`. */
export function flowAt(file: string, at: number, depth = 0): Read {
  if (depth > MAX_DEPTH) throw new NotPlain()
  return file[at] === '[' ? list(file, at, depth) : map(file, at, depth)
}

function list(file: string, start: number, depth: number): Read {
  const items: DocumentNode[] = []
  const end = eachPart(file, start, ']', (at) => {
    const item = value(file, at, depth)
    items.push(item.node)
    return item.end
  })
  return { node: { kind: 'list', start, items }, end }
}

function map(file: string, start: number, depth: number): Read {
  const entries = new Map<string, MapEntry>()
  const end = eachPart(file, start, '}', (at) => {
    KEY.lastIndex = at
    const key = KEY.exec(file)?.[0]
    if (key === undefined || entries.has(key)) throw new NotPlain()
    const read = value(file, skipSpaces(file, at + key.length + 1), depth)
    entries.set(key, { start: at, value: read.node })
    return read.end
  })
  return { node: { kind: 'map', start, entries }, end }
}

/** Reads parts between commas until the bracket closes, and returns the place after it. */
function eachPart(file: string, start: number, close: string, read: (at: number) => number): number {
  let at = skipSpaces(file, start + 1)
  if (file[at] === close) return at + 1
  for (;;) {
    at = skipSpaces(file, read(at))
    if (file[at] === close) return at + 1
    if (file[at] !== ',') throw new NotPlain()
    at = skipSpaces(file, at + 1)
  }
}

function value(file: string, at: number, depth: number): Read {
  if (file[at] === '[' || file[at] === '{') return flowAt(file, at, depth + 1)
  if (file[at] === "'" || file[at] === '"') {
    const { style, text, end } = quotedAt(file, at, file.length)
    return { node: { kind: 'scalar', start: at, end, style, isText: true, text }, end }
  }
  PLAIN.lastIndex = at
  const run = PLAIN.exec(file)?.[0] ?? ''
  const text = run.slice(0, trimSpaces(run, 0, run.length))
  if (!startsPlain(text) || isPairs(text) || text.includes(' #')) throw new NotPlain()
  const end = at + text.length
  return { node: { kind: 'scalar', start: at, end, style: 'plain', isText: false, text }, end }
}
