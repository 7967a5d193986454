import { closeSync, openSync, readdirSync, readSync, realpathSync, type Stats, statSync } from 'node:fs'
import { join } from 'node:path'
import { mayHoldRules } from '@omen/engine'
import { Failure } from '../../failure.js'

/** The content of a rule document, which may be gzip-compressed. */
export interface RuleFile {
  /** The path as the user gave it, for messages. */
  readonly name: string
  readonly bytes: Uint8Array
  /** The output of `exportRules`, if the document was compiled when the tool was built. */
  readonly compiled?: string
}

const RULE_DOCUMENT = /\.ya?ml(\.gz)?$/i

/** One byte more than the limit of the engine, which then reports that the document is too large. */
const LONGEST_DOCUMENT = 64 * 1024 * 1024 + 1

const PIECE = 64 * 1024

/**
 * Reads the rule documents at a path: a file (or pipe), or every `.yaml` and `.yml` file (including gzip-compressed ones) in a folder
 * and its sub-folders, in the order of their names. Files in a folder that have no key of a rule document are skipped: a catalogue
 * also contains lists of tags and categories. Throws a `Failure` that names the path.
 *
 * @example
 * readRuleFiles('/etc/omen/rules') // [{ name: '/etc/omen/rules/kafka.yaml', bytes }, …]
 */
export function readRuleFiles(path: string): RuleFile[] {
  if (!statOf(path).isDirectory()) return [readRuleFile(path)]
  const files = ruleDocumentsBelow(path).map(readRuleFile).filter(mayHaveRules)
  if (files.length === 0) throw new Failure('Rules', `${path}: no rule documents (.yaml, .yml) in this folder`)
  return files
}

function mayHaveRules({ name, bytes }: RuleFile): boolean {
  return /\.gz$/i.test(name) || mayHoldRules(Buffer.from(bytes).toString('latin1'))
}

/** Reads one rule document. */
export function readRuleFile(name: string): RuleFile {
  return { name, bytes: reading(name, () => readBounded(name)) }
}

/** The paths of all rule documents in a folder and its sub-folders, sorted. */
export function ruleDocumentsBelow(folder: string): string[] {
  return filesBelow(folder)
    .filter((path) => RULE_DOCUMENT.test(path))
    .sort()
}

/**
 * The files in a folder and its sub-folders. Symbolic links are followed, because a mounted config map consists of them; hidden names
 * are skipped, because a config map contains its files a second time under `..data`.
 */
export function filesBelow(folder: string): string[] {
  const files: string[] = []
  const seen = new Set<string>()
  const waiting = [folder]
  // The list grows while it is iterated: breadth first, independent of the order of the file system.
  for (const current of waiting) {
    const real = reading(current, () => realpathSync(current))
    if (seen.has(real)) continue
    seen.add(real)
    const { files: here, folders } = contentOf(current)
    for (const file of here) files.push(file)
    for (const below of folders) waiting.push(below)
  }
  return files
}

/** The files in a folder, without sub-folders. */
export function filesIn(folder: string): string[] {
  return contentOf(folder).files
}

function contentOf(folder: string): { readonly files: string[]; readonly folders: string[] } {
  const files: string[] = []
  const folders: string[] = []
  for (const name of reading(folder, () => readdirSync(folder)).sort()) {
    if (name.startsWith('.') || name === 'node_modules') continue
    const path = join(folder, name)
    const stats = statIfAny(path)
    if (stats?.isDirectory()) folders.push(path)
    else if (stats?.isFile()) files.push(path)
  }
  return { files, folders }
}

/** Undefined for a broken or circular link. */
function statIfAny(path: string): Stats | undefined {
  try {
    return statSync(path)
  } catch {
    return undefined
  }
}

/** The stats of a path; throws a `Failure` if it does not exist. */
export function statOf(path: string): Stats {
  return reading(path, () => statSync(path))
}

/** Reads in pieces, because a pipe has no size and `/dev/zero` has no end. */
function readBounded(path: string): Uint8Array {
  const file = openSync(path, 'r')
  try {
    const pieces: Uint8Array[] = []
    let size = 0
    while (size < LONGEST_DOCUMENT) {
      const piece = new Uint8Array(Math.min(PIECE, LONGEST_DOCUMENT - size))
      const bytes = readSync(file, piece, 0, piece.length, null)
      if (bytes === 0) break
      pieces.push(piece.subarray(0, bytes))
      size += bytes
    }
    return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces, size)
  } finally {
    closeSync(file)
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or folder',
  ENOTDIR: 'no such file or folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EISDIR: 'is a folder',
  ELOOP: 'too many symbolic links',
  ENAMETOOLONG: 'the name is too long',
}

function reading<T>(path: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    throw new Failure('Rules', `${path}: ${REASONS[code] ?? message}`, { cause: error })
  }
}
