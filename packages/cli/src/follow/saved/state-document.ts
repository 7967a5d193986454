import { Failure } from '../../failure.js'

/** Incremented with every change that an older omen could not read. */
export const STATE_VERSION = 1

/**
 * The progress of one name. The keys of these interfaces are the format of the state file: `mark` is a read position, `next`
 * the successor, and `left` are the finished files.
 */
export interface SavedFile {
  /** The name and the type of the data source. */
  readonly source: string
  readonly type: string
  /** Nanoseconds. */
  readonly window?: string
  readonly timestamp?: { readonly regex: string; readonly format: string }
  /** The group in which it is searched after a rotation. */
  readonly group: string
  /** Absolute. */
  readonly path: string
  /** Absent while no file is being read. */
  readonly mark?: SavedPosition
  /** The file that the name led to when it was last polled, while the rest of the one before is read. */
  readonly next?: SavedPosition
  /** From where rules without state continue: after the last entry that was matched. */
  readonly anew: { readonly offset: number; readonly lines: number }
  readonly firstLines: readonly number[]
  readonly files?: readonly string[]
  readonly lines: number
  readonly isPending: boolean
  readonly isUntouched: boolean
  /** Entries up to this time wait for their order; nanoseconds since 1970. */
  readonly waitingUpTo?: string
  /** The engine's snapshot. */
  readonly snapshot?: object
  /** When it was last followed; milliseconds since 1970. */
  readonly seen: number
}

/** How far one file was read. */
export interface SavedPosition {
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

/** A finished file, and its group. */
export interface SavedFinished {
  readonly group: string
  readonly mark: SavedPosition
}

/** What a run saves for the next. */
export interface SavedState {
  /** The fingerprint of the rules. */
  readonly rules: string
  readonly files: readonly SavedFile[]
  readonly left: readonly SavedFinished[]
  /** What the caller still has to deliver. */
  readonly outbox?: unknown
}

/**
 * Parses a state file. Any other file is refused, because it may be the only copy of something else; the message says what to
 * do.
 *
 * @example
 * readState('s.json', text).files[0].mark.offset
 */
export function readState(path: string, text: string): SavedState {
  const refuse = (what: string): never => {
    throw new Failure(
      'State',
      `${path}: ${what}: move it away to start from the beginning, or name another file with --state`,
    )
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

/** The shape of a value: a kind, a list of a shape, or an object whose keys have shapes. Keys that end in `?` are optional. */
type Shape =
  | 'string'
  | 'digits'
  | 'count'
  | 'integer'
  | 'flag'
  | 'object'
  | readonly [Shape]
  | { readonly [key: string]: Shape }

const LINE_POSITION = { offset: 'count', lines: 'count' } as const

const POSITION = {
  device: 'string',
  inode: 'string',
  target: 'string',
  start: LINE_POSITION,
  offset: 'count',
  lines: 'count',
  lineStart: 'count',
  lineEnd: 'count',
  head: 'string',
  tail: 'string',
  hasTimes: 'flag',
  isPacked: 'flag',
  isComplete: 'flag',
  'sealed?': { size: 'count', modified: 'digits' },
} as const satisfies Shape

const FILE = {
  source: 'string',
  type: 'string',
  'window?': 'string',
  'timestamp?': { regex: 'string', format: 'string' },
  group: 'string',
  path: 'string',
  'mark?': POSITION,
  'next?': POSITION,
  anew: LINE_POSITION,
  firstLines: ['integer'],
  'files?': ['string'],
  lines: 'count',
  isPending: 'flag',
  isUntouched: 'flag',
  'waitingUpTo?': 'digits',
  'snapshot?': 'object',
  seen: 'count',
} as const satisfies Shape

const STATE = { rules: 'string', files: [FILE], left: [{ group: 'string', mark: POSITION }] } as const satisfies Shape

const KINDS: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  digits: (value) => typeof value === 'string' && /^-?\d+$/.test(value),
  count: (value) => Number.isSafeInteger(value) && (value as number) >= 0,
  integer: (value) => Number.isSafeInteger(value),
  flag: (value) => typeof value === 'boolean',
  object: isObject,
}

/** The path of the first value that does not have its shape. */
function findBroken(shape: Shape, value: unknown, path: string): string | undefined {
  if (typeof shape === 'string') return KINDS[shape]!(value) ? undefined : path
  if (isList(shape)) {
    if (!Array.isArray(value)) return path
    return firstOf(value, (element, index) => findBroken(shape[0], element, `${path}[${index}]`))
  }
  if (!isObject(value)) return path
  return firstOf(Object.entries(shape), ([key, inner]) => {
    const name = key.replace('?', '')
    if (name !== key && value[name] === undefined) return undefined
    return findBroken(inner, value[name], path === '' ? name : `${path}.${name}`)
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
