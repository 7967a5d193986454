import { basename, dirname, resolve } from 'node:path'
import { inNaturalOrder } from './found-file.js'

/** The name of a file, as far as a rotation made it. */
export interface PieceName {
  /** The name of the log, without what rotation and compression add: `app.log` for `app.log.2.gz`. */
  readonly log: string
  /** The date that a rotation added, such as `2026-03-01`, with the time or the number after it. */
  readonly date: string | undefined
  /** The number that a rotation added. The higher it is, the older is the piece. */
  readonly number: number | undefined
}

const COMPRESSION = /\.(?:gz|bz2|xz|zst)$/i

const MONTH = '(?:0[1-9]|1[0-2])'
const DAY = '(?:0[1-9]|[12]\\d|3[01])'

/** `20260301` or `2026-03-01`, also with a time or a number: `2026-03-01T12-00-00.000`, `20260301-120000`, `2026-03-01.2`. */
const DATE = `(?:19|20)\\d\\d(?:${MONTH}${DAY}|(?<separator>[-_.])${MONTH}(?:\\k<separator>${DAY})?)(?:[-_.T:]?\\d)*Z?`

/** A version or an address, such as 1.2.3 and 10.0.0.1, does not end with an added number. */
const NUMBERED = '(?<log>.+(?<!(?:^|\\.)\\d+))\\.(?<number>\\d{1,4})'

const EXTENSION = '(?<extension>\\.[a-z]\\w*)'

/** What rotations add to the name of a log. */
const ADDITIONS: readonly RegExp[] = [
  new RegExp(`^(?<log>.+?)[-._]+(?<date>${DATE})${EXTENSION}?$`, 'i'),
  // Seconds or milliseconds since 1970.
  /^(?<log>.+?)[-._]+(?<date>1\d{9}(?:\d{3})?)$/,
  new RegExp(`^${NUMBERED}$`),
  /^(?<log>.+)[-._](?<old>old|bak|prev)$/i,
]

/** `app.1.log` may be a piece of `app.log`, or the log of the first of several programs. */
const NUMBER_BEFORE_EXTENSION = new RegExp(`^${NUMBERED}${EXTENSION}$`, 'i')

/** A rotation may add a number to a name with a date. */
const MAX_ADDITIONS = 2

/**
 * Splits the name of a file into the name of its log and what a rotation added. A number after a hyphen was not added by a
 * rotation: `app-1.log` and `app-2.log` are the logs of two programs.
 *
 * @example
 * readPieceName('app.log.2.gz') // { log: 'app.log', date: undefined, number: 2 }
 * readPieceName('app-20260301.log') // { log: 'app.log', date: '20260301', number: undefined }
 * readPieceName('app-1.log') // { log: 'app-1.log', date: undefined, number: undefined }
 */
export function readPieceName(name: string): PieceName {
  let piece: PieceName = { log: name.replace(COMPRESSION, ''), date: undefined, number: undefined }
  for (let count = 0; count < MAX_ADDITIONS; count++) {
    const { log } = piece
    const found = ADDITIONS.map((pattern) => pattern.exec(log)?.groups).find((groups) => groups !== undefined)
    if (!found) break
    const added = found.old === undefined ? found.number : 1
    piece = {
      log: `${found.log}${found.extension ?? ''}`,
      date: piece.date ?? found.date,
      number: piece.number ?? (added === undefined ? undefined : Number(added)),
    }
  }
  return piece
}

/** As `readPieceName`, for a file that is known to be a piece of a log with another name. */
function readNumberedName(name: string): PieceName | undefined {
  const piece = readPieceName(name)
  const found = NUMBER_BEFORE_EXTENSION.exec(piece.log)?.groups
  return found && { ...piece, log: `${found.log}${found.extension}`, number: Number(found.number) }
}

/**
 * Compares the paths of two pieces of a log, the older one first: those with a date, then those with a number, then the one that
 * is written.
 *
 * @example
 * ['app.log', 'app.log.9', 'app.log.10.gz'].sort(oldestNameFirst) // ['app.log.10.gz', 'app.log.9', 'app.log']
 */
export function oldestNameFirst(a: string, b: string): number {
  const left = readNumberedName(basename(a)) ?? readPieceName(basename(a))
  const right = readNumberedName(basename(b)) ?? readPieceName(basename(b))
  if (left.date !== right.date) {
    if (left.date === undefined) return 1
    if (right.date === undefined) return -1
    return inNaturalOrder(left.date, right.date)
  }
  return (right.number ?? -1) - (left.number ?? -1) || inNaturalOrder(a, b)
}

/** A log, and the files that are its pieces. */
export interface PiecedLog<File> {
  /** The path of the log, of which there may be no file; of a log with one piece, the path of that. */
  readonly path: string
  readonly pieces: readonly File[]
}

/**
 * Finds the files that are pieces of one log: their names differ only in what rotation and compression add, and they are in the
 * same folder. Logs and pieces are in the order of the files. A pipe is a log of its own, and `app.1.log` is one unless there are
 * other pieces of `app.log`.
 *
 * @example
 * joinPieces([{ path: 'app.log', size: 9 }, { path: 'web.log', size: 9 }, { path: 'app.log.1', size: 9 }])
 * // [{ path: 'app.log', pieces: [app.log, app.log.1] }, { path: 'web.log', pieces: [web.log] }]
 */
export function joinPieces<File extends { readonly path: string; readonly size: number | undefined }>(
  files: readonly File[],
): readonly PiecedLog<File>[] {
  const logs = new Map<string, { readonly path: string; readonly pieces: File[] }>()
  const certain = new Set(files.map(({ path }) => inFolderOf(path, readPieceName(basename(path)).log)))
  for (const file of files) {
    const path = logOf(file.path, certain)
    const key = file.size === undefined ? `pipe ${file.path}` : resolve(path)
    const log = logs.get(key)
    if (log) log.pieces.push(file)
    else logs.set(key, { path, pieces: [file] })
  }
  return [...logs.values()].map(({ path, pieces }) => ({ path: pieces.length === 1 ? pieces[0]!.path : path, pieces }))
}

/**
 * The names of the logs of which a file may be a piece.
 *
 * @example
 * logsOf('app.1.log.gz') // ['app.1.log', 'app.log']
 */
export function logsOf(name: string): readonly string[] {
  const numbered = readNumberedName(name)
  return numbered ? [readPieceName(name).log, numbered.log] : [readPieceName(name).log]
}

/** The path of the log of a file, given the paths of logs that have other pieces. */
function logOf(path: string, certain: ReadonlySet<string>): string {
  const name = basename(path)
  const numbered = readNumberedName(name)
  const isPiece = numbered !== undefined && certain.has(inFolderOf(path, numbered.log))
  return besides(path, isPiece ? numbered.log : readPieceName(name).log)
}

/** The absolute path of a name in the folder of a file. */
function inFolderOf(path: string, name: string): string {
  return resolve(dirname(path), name)
}

/** The path of a name in the folder of a file, written as that of the file. */
function besides(path: string, name: string): string {
  return path.slice(0, path.length - basename(path).length) + name
}
