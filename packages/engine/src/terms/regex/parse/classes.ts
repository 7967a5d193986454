import { TermError } from '../../condition.js'
import {
  type CharSet,
  foldRanges,
  invertRanges,
  PERL_CLASSES,
  POSIX_CLASSES,
  type Property,
  tidyRanges,
} from './charset.js'
import { type Cursor, errorSince, looksAt, takeCode, takeMatch } from './cursor.js'
import { takeEscapedCode } from './escapes.js'
import { findProperty } from './unicode.js'

/** A set that is being parsed. */
interface OpenSet {
  readonly ranges: number[]
  readonly properties: Property[]
}

const PERL_CLASS = /\\([dswDSW])/y
const PROPERTY_START = /\\[pP]/y
const PROPERTY = /\\([pP])(?:\{(\^?)([^}]*)\}|([^{]))/uy

const closeSet = ({ ranges, properties }: OpenSet, negated: boolean, fold: boolean): CharSet => ({
  ranges: fold ? foldRanges(ranges) : tidyRanges(ranges),
  properties,
  negated,
})

/** Sets outside brackets, by their key: there are few of them, and a pattern may use each thousands of times. */
const sharedSets = new Map<string, CharSet>()

/** Takes `\d`, `\p{Greek}` or another class escape, or leaves the cursor where it is. */
export function takeClassEscape(cursor: Cursor, fold: boolean): CharSet | undefined {
  const start = cursor.offset
  const set: OpenSet = { ranges: [], properties: [] }
  if (!addClassEscape(set, cursor, fold)) return undefined
  const [property] = set.properties
  const key = property ? `${property.name} ${property.negated} ${fold}` : `${cursor.pattern[start + 1]} ${fold}`
  const known = sharedSets.get(key) ?? closeSet(set, false, fold)
  sharedSets.set(key, known)
  return known
}

function addClassEscape(set: OpenSet, cursor: Cursor, fold: boolean): boolean {
  const perl = takeMatch(cursor, PERL_CLASS)
  if (perl) {
    const letter = perl[1]!.toLowerCase()
    addNamed(set, PERL_CLASSES[letter]!, perl[1] !== letter, fold)
    return true
  }
  const start = cursor.offset
  if (!takeMatch(cursor, PROPERTY_START)) return false
  cursor.offset = start
  const property = takeMatch(cursor, PROPERTY)
  if (!property) throw unclosedProperty(cursor, start)
  addProperty(set, property, cursor, start, fold)
  return true
}

function unclosedProperty(cursor: Cursor, start: number): TermError {
  cursor.offset = Math.min(start + 3, cursor.pattern.length)
  const message = '% needs the name of a category or script, such as \\pL or \\p{Greek}'
  return errorSince(cursor, start, 'regex-property', message)
}

function addProperty(set: OpenSet, match: RegExpExecArray, cursor: Cursor, start: number, fold: boolean): void {
  const [, letter, caret, braced, single = ''] = match
  const name = findProperty(braced ?? single)
  if (name === undefined) {
    const message = '% is not a known category or script: write \\pL, \\p{Lu} or \\p{Greek}, for example'
    throw errorSince(cursor, start, 'regex-property', message)
  }
  set.properties.push({ name, negated: (letter === 'P') !== (caret === '^'), fold })
}

function addNamed(set: OpenSet, ranges: readonly number[], negated: boolean, fold: boolean): void {
  // Folding comes before negation: (?i)[[:^lower:]] matches everything that is not a letter.
  set.ranges.push(...(negated ? invertRanges(fold ? foldRanges(ranges) : ranges) : ranges))
}

function addPosixClass(set: OpenSet, cursor: Cursor, fold: boolean): boolean {
  const start = cursor.offset
  if (!looksAt(cursor, '[:') || cursor.lastNamedEnd < start + 2) return false
  const end = cursor.pattern.indexOf(':]', start + 2)
  cursor.offset = end + 2
  const negated = cursor.pattern[start + 2] === '^'
  const name = cursor.pattern.slice(start + (negated ? 3 : 2), end)
  if (!Object.hasOwn(POSIX_CLASSES, name)) {
    const known = Object.keys(POSIX_CLASSES).join(', ')
    throw errorSince(cursor, start, 'regex-class', `% is not a known class; the classes are ${known}`)
  }
  addNamed(set, POSIX_CLASSES[name]!, negated, fold)
  return true
}

/** Takes a class in brackets. The cursor is at the `[`. */
export function takeClass(cursor: Cursor, fold: boolean): CharSet {
  const start = cursor.offset
  cursor.offset += 1
  const negated = looksAt(cursor, '^')
  if (negated) cursor.offset += 1
  const set: OpenSet = { ranges: [], properties: [] }
  let first = true
  while (first || !looksAt(cursor, ']')) {
    first = false
    if (addPosixClass(set, cursor, fold) || addClassEscape(set, cursor, fold)) continue
    addRange(set, cursor, start)
  }
  cursor.offset += 1
  return closeSet(set, negated, fold)
}

function addRange(set: OpenSet, cursor: Cursor, classStart: number): void {
  const start = cursor.offset
  const low = takeClassCode(cursor, classStart)
  let high = low
  // A minus at the end of the class is just a minus.
  if (looksAt(cursor, '-') && cursor.offset + 1 < cursor.pattern.length && !looksAt(cursor, '-]')) {
    cursor.offset += 1
    high = takeClassCode(cursor, classStart)
  }
  if (high < low) {
    const message = 'the range % is reversed: its first character comes after its last'
    throw errorSince(cursor, start, 'regex-range', message)
  }
  set.ranges.push(low, high)
}

function takeClassCode(cursor: Cursor, classStart: number): number {
  if (looksAt(cursor, '\\')) return takeEscapedCode(cursor)
  const code = takeCode(cursor)
  if (code < 0) throw new TermError('regex-unclosed-class', 'missing closing ]', classStart)
  return code
}
