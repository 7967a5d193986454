import { Failure } from '../failure.js'

/** Raised by one with every change that an older omen could not read. */
export const STATE_VERSION = 1

/** Where the reading of one name stands. */
export interface SavedFile {
  /** The name and the type of the data source. */
  readonly source: string
  readonly type: string
  /** Nanoseconds. */
  readonly window?: string
  readonly timestamp?: { readonly regex: string; readonly format: string }
  /** The files among which it is looked for after a rotation. */
  readonly group: string
  /** Absolute. */
  readonly path: string
  /** Absent while no file is being read. */
  readonly mark?: SavedMark
  /** The file that stood under the name when it was last looked at, while the one before is read on. */
  readonly next?: SavedMark
  /** From where rules that start anew go on: behind the last entry that was matched. */
  readonly anew: { readonly offset: number; readonly lines: number }
  readonly firstLines: readonly number[]
  readonly lines: number
  readonly isPending: boolean
  readonly isUntouched: boolean
  /** The engine's own. */
  readonly snapshot?: object
  /** When it was last followed; milliseconds since 1970. */
  readonly seen: number
}

/** How far one file was read. */
export interface SavedMark {
  readonly device: string
  readonly inode: string
  readonly target: string
  readonly start: { readonly offset: number; readonly lines: number }
  readonly offset: number
  readonly lines: number
  readonly lineStart: number
  readonly lineEnd: number
  /** Base64. */
  readonly head: string
  readonly tail: string
  readonly hasTimes: boolean
  readonly isPacked: boolean
  readonly isComplete: boolean
  /** The time is in nanoseconds since 1970. */
  readonly sealed?: { readonly size: number; readonly modified: string }
}

/** A file that was read and has another name now, or none, and the files among which it was. */
export interface SavedLeft {
  readonly group: string
  readonly mark: SavedMark
}

/** What a run leaves for the next. */
export interface SavedState {
  /** The fingerprint of the rules. */
  readonly rules: string
  readonly files: readonly SavedFile[]
  readonly left: readonly SavedLeft[]
  /** What the caller has still to deliver. */
  readonly outbox?: unknown
}

/**
 * Reads the text of a state file. Whatever is not one is refused, and the message says what to do: it may be the only copy
 * of something else.
 *
 * @example
 * readState('s.json', text).files[0].mark.offset
 */
export function readState(path: string, text: string): SavedState {
  const refuse = (what: string): never => {
    throw new Failure('State', `${path}: ${what}: move it away to start anew, or name another file with --state`)
  }
  const document = parse(text) ?? refuse('not a state file of omen')
  const { omen, version } = document
  if (omen !== 'state' || typeof version !== 'number') return refuse('not a state file of omen')
  if (version > STATE_VERSION) {
    throw new Failure('State', `${path}: written by a newer omen: update this one, or name another file with --state`)
  }
  const broken = findBroken(STATE, document, '')
  if (broken !== undefined) return refuse(`broken (${broken})`)
  return document as unknown as SavedState
}

type Document = Readonly<Record<string, unknown>>

function parse(text: string): Document | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isObject(value: unknown): value is Document {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** What a value has to be: a kind, a list of a shape, or an object whose keys have shapes; `?` marks what may be absent. */
type Shape =
  | 'text'
  | 'digits'
  | 'count'
  | 'integer'
  | 'flag'
  | 'object'
  | readonly [Shape]
  | { readonly [key: string]: Shape }

const START = { offset: 'count', lines: 'count' } as const

const MARK = {
  device: 'text',
  inode: 'text',
  target: 'text',
  start: START,
  offset: 'count',
  lines: 'count',
  lineStart: 'count',
  lineEnd: 'count',
  head: 'text',
  tail: 'text',
  hasTimes: 'flag',
  isPacked: 'flag',
  isComplete: 'flag',
  'sealed?': { size: 'count', modified: 'digits' },
} as const satisfies Shape

const FILE = {
  source: 'text',
  type: 'text',
  'window?': 'text',
  'timestamp?': { regex: 'text', format: 'text' },
  group: 'text',
  path: 'text',
  'mark?': MARK,
  'next?': MARK,
  anew: START,
  firstLines: ['integer'],
  lines: 'count',
  isPending: 'flag',
  isUntouched: 'flag',
  'snapshot?': 'object',
  seen: 'count',
} as const satisfies Shape

const STATE = { rules: 'text', files: [FILE], left: [{ group: 'text', mark: MARK }] } as const satisfies Shape

const KINDS: Readonly<Record<string, (value: unknown) => boolean>> = {
  text: (value) => typeof value === 'string',
  digits: (value) => typeof value === 'string' && /^-?\d+$/.test(value),
  count: (value) => Number.isSafeInteger(value) && (value as number) >= 0,
  integer: (value) => Number.isSafeInteger(value),
  flag: (value) => typeof value === 'boolean',
  object: isObject,
}

/** The place of the first value that is not what it has to be. */
function findBroken(shape: Shape, value: unknown, place: string): string | undefined {
  if (typeof shape === 'string') return KINDS[shape]!(value) ? undefined : place
  if (isList(shape)) {
    if (!Array.isArray(value)) return place
    return firstOf(value, (element, index) => findBroken(shape[0], element, `${place}[${index}]`))
  }
  if (!isObject(value)) return place
  return firstOf(Object.entries(shape), ([key, inner]) => {
    const name = key.replace('?', '')
    if (name !== key && value[name] === undefined) return undefined
    return findBroken(inner, value[name], place === '' ? name : `${place}.${name}`)
  })
}

function isList(shape: Shape): shape is readonly [Shape] {
  return Array.isArray(shape)
}

function firstOf<T>(list: readonly T[], find: (element: T, index: number) => string | undefined): string | undefined {
  for (const [index, element] of list.entries()) {
    const found = find(element, index)
    if (found !== undefined) return found
  }
  return undefined
}
