import { FIELD, OP, UNIT, ZONE } from './program.js'

/** Compiled elements of a layout, by how they are written. */
type Element = readonly number[]

const zone = (flags: number): Element => [OP.zone, flags]
const number = (field: number, fewest: number, most: number): Element => [OP.number, field, fewest, most]

const FRACTION: Element = [OP.fraction, 2, 46, 46, 44, 44]
const BLANK: Element = [OP.some, 1, 32, 32]
const PADDING: Element = [OP.many, 1, 32, 32]

/**
 * The reference time of Go's layouts, Mon Jan 2 15:04:05 MST 2006. Reading is more lenient than Go's where nothing else
 * can be meant: a zone may have its colon or not, a fraction any number of digits.
 */
const GO_ELEMENTS: Readonly<Record<string, Element>> = {
  '2006': number(FIELD.year, 4, 4),
  '06': number(FIELD.shortYear, 2, 2),
  '01': number(FIELD.month, 2, 2),
  '1': number(FIELD.month, 1, 2),
  Jan: [OP.month, 0],
  January: [OP.month, 1],
  '02': number(FIELD.day, 2, 2),
  _2: [...PADDING, ...number(FIELD.day, 1, 2)],
  '2': number(FIELD.day, 1, 2),
  '002': number(FIELD.yearDay, 3, 3),
  __2: [...PADDING, ...number(FIELD.yearDay, 1, 3)],
  Mon: [OP.weekday, 0],
  Monday: [OP.weekday, 1],
  '15': number(FIELD.hour, 2, 2),
  '03': number(FIELD.hour12, 2, 2),
  '3': number(FIELD.hour12, 1, 2),
  '04': number(FIELD.minute, 2, 2),
  '4': number(FIELD.minute, 1, 2),
  '05': number(FIELD.second, 2, 2),
  '5': number(FIELD.second, 1, 2),
  PM: [OP.meridiem],
  pm: [OP.meridiem],
  MST: zone(ZONE.any | ZONE.plain),
  '-07': zone(ZONE.colon | ZONE.plain),
  Z07: zone(ZONE.colon | ZONE.plain | ZONE.z),
  ' ': BLANK,
}

/**
 * Finds the next element of Go's layouts, the longest that fits. `_2006` is an underscore and a year; `Month` is not a weekday; a run
 * of zeros or nines after a dot is a fraction unless a digit follows it.
 */
const GO_PATTERN =
  /([.,](?:0+|9+)(?!\d))|2006|January|Jan(?![a-z])|Monday|Mon(?![a-z])|MST|002|__2|_2(?!006)|0[1-6]|15|PM|pm|(-07|Z07)(?::?00){0,2}|[1-5 ]/y

/** Elements that the table of formats adds, in braces. */
const OWN_ELEMENTS: Readonly<Record<string, Element>> = {
  /** A fraction after a dot or a comma, if there is one. */
  frac: FRACTION,
  /** After a dot. */
  dotfrac: [OP.fraction, 1, 46, 46],
  /** Also after a colon. */
  'frac:': [OP.fraction, 3, 46, 46, 44, 44, 58, 58],
  /** Directly after the seconds. */
  digits: [OP.fraction, 0],
  /** Exactly what RFC 3339 allows. */
  rfc3339zone: zone(ZONE.colon | ZONE.z),
  /** Any zone, if there is one, also after a space. */
  zone: zone(ZONE.colon | ZONE.plain | ZONE.z | ZONE.known | ZONE.optional | ZONE.space),
  hour: number(FIELD.hour, 1, 2),
  nanos: number(FIELD.nanos, 1, 9),
  millis: number(FIELD.millis, 1, 3),
  epoch: [OP.epoch, UNIT.any, 1],
  seconds: [OP.epoch, UNIT.seconds, 1],
  tai: [OP.tai],
  /** No digit follows. */
  end: [OP.edge, 0],
  /** No letter, digit or underscore follows. */
  wordend: [OP.edge, 1],
}

/**
 * Compiles a Go reference layout to operations; characters that are not part of the reference time match themselves, a space matches one or
 * more spaces. After the seconds a fraction is read also where the layout has none, as Go does.
 */
export function compileLayout(layout: string): number[] {
  const operations: number[] = []
  for (let at = 0; at < layout.length; ) {
    at = compileElement(layout, at, operations)
    const isSecond = operations.at(-4) === OP.number && operations.at(-3) === FIELD.second
    if (isSecond && !/^[.,][09]/.test(layout.slice(at))) operations.push(...FRACTION)
  }
  return operations
}

/**
 * Compiles layouts of the table of formats, which are tried one after the other. They are Go's with elements in braces:
 * `{frac}`, `{zone}` and so on, or a class of bytes as in a regular expression, `{[T ]}`, `{[[(]?}`.
 */
export function compileAlternatives(layouts: readonly string[]): number[] {
  return layouts.flatMap((layout, index) => {
    const operations: number[] = []
    for (let at = 0; at < layout.length; ) {
      if (layout[at] === '{') {
        const close = layout.indexOf('}', at)
        operations.push(...ownElement(layout.slice(at + 1, close)))
        at = close + 1
      } else at = compileElement(layout, at, operations)
    }
    operations.push(OP.match)
    const isLast = index === layouts.length - 1
    return isLast ? operations : [OP.either, operations.length & 255, operations.length >> 8, ...operations]
  })
}

/** Compiles the element at `at` and returns the index of the next one. */
function compileElement(layout: string, at: number, operations: number[]): number {
  GO_PATTERN.lastIndex = at
  const found = GO_PATTERN.exec(layout)
  if (found) {
    const [name, fraction, offset] = found
    operations.push(...(fraction === undefined ? GO_ELEMENTS[offset ?? name] : FRACTION))
    return at + name.length
  }
  const code = layout.codePointAt(at)!
  if (code < 128) operations.push(OP.bytes, 1, code)
  else {
    const bytes = new TextEncoder().encode(String.fromCodePoint(code))
    operations.push(OP.bytes, bytes.length, ...bytes)
  }
  return at + (code > 0xffff ? 2 : 1)
}

const CLASS = /^\[(.+)\]([?*+]?)$/
const CLASS_OPERATION: Readonly<Record<string, number>> = { '': OP.one, '?': OP.optional, '*': OP.many, '+': OP.some }

function ownElement(text: string): Element {
  const known = OWN_ELEMENTS[text]
  if (known) return known
  const [, members, times] = CLASS.exec(text)!
  const ranges: number[] = []
  for (let i = 0; i < members.length; i++) {
    const first = members.charCodeAt(i)
    const isRange = members[i + 1] === '-' && i + 2 < members.length
    if (isRange) i += 2
    ranges.push(first, members.charCodeAt(i))
  }
  return [CLASS_OPERATION[times], ranges.length / 2, ...ranges]
}
