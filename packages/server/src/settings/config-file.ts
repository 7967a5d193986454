import { isUtf8 } from 'node:buffer'
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { nearest } from '@omen/engine/messages'
import { isAlias, isMap, isScalar, isSeq, LineCounter, type ParsedNode, parseDocument } from 'yaml'
import { Failure } from '../failure.js'
import { SETTING_KEYS, SETTINGS, type SettingKey } from './setting-table.js'
import { shown } from './shown.js'

/** A value as it stands in the file. */
export interface WrittenValue {
  readonly text: string
  readonly line: number
}

export interface ConfigFile {
  readonly values: ReadonlyMap<SettingKey, WrittenValue>
  /** `config.yaml:3: …`, each to be shown as it is. */
  readonly problems: readonly string[]
}

/** Settings fit in far less; a file that is longer is a mistake. */
const LARGEST_FILE = 1 << 20

/**
 * Reads a file of settings: a YAML map from a setting's name to its value. What is wrong is returned, not thrown, so that it can
 * be told together with problems of flags and environment. A file that cannot be read at all throws a `Failure`.
 *
 * @example
 * readConfigFile('/etc/omen/server.yaml').values.get('port') // { text: '8443', line: 2 }
 */
export function readConfigFile(path: string): ConfigFile {
  const bytes = readBytes(path)
  if (!isUtf8(bytes)) throw new Failure('Config', `${path}: this is not UTF-8 text: save the file as UTF-8`)
  const lines = new LineCounter()
  const text = bytes.toString('utf8').replace(/^\ufeff/, '')
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, logLevel: 'silent' })
  const lineOf = (offset: number | undefined) => lines.linePos(offset ?? 0).line
  const problems: string[] = []
  const values = new Map<SettingKey, WrittenValue>()
  const tell = (offset: number | undefined, message: string) => problems.push(`${path}:${lineOf(offset)}: ${message}`)
  for (const error of document.errors) tell(error.pos[0], `this is not YAML: ${firstLine(error.message)}`)
  const root = document.contents
  if (problems.length > 0 || isNothing(root)) return { values, problems }
  if (!isMap(root)) {
    tell(root?.range?.[0], 'a file of settings has a line for each, such as port: 8080')
    return { values, problems }
  }
  for (const { key, value } of root.items) {
    const at = (key as ParsedNode).range?.[0]
    const read = readEntry(isScalar(key) ? String(key.value) : '', value as ParsedNode | null)
    if ('problem' in read) tell(at, read.problem)
    else if (read.text !== undefined) values.set(read.key, { text: read.text, line: lineOf(at) })
  }
  return { values, problems }
}

type Entry = { readonly problem: string } | { readonly key: SettingKey; readonly text: string | undefined }

function readEntry(name: string, value: ParsedNode | null): Entry {
  const key = SETTING_KEYS.find((known) => known === name)
  if (key === undefined) {
    const meant = nearest(name, SETTING_KEYS)
    return { problem: `unknown setting ${shown(name)}${meant ? `: did you mean ${meant}?` : ''}` }
  }
  // A key with nothing behind it is not set, as in the environment.
  if (isNothing(value)) return { key, text: undefined }
  if (isScalar(value)) return { key, text: writtenText(value) }
  const items = SETTINGS[key].isList && isSeq(value) ? value.items : []
  if (isSeq(value) && SETTINGS[key].isList && items.every((item) => isScalar(item))) {
    return { key, text: items.map((item) => (isScalar(item) ? writtenText(item) : '')).join(',') }
  }
  if (isAlias(value)) return { problem: `${key}: aliases are not for settings: write the value itself` }
  return { problem: `${key} takes ${SETTINGS[key].isList ? 'a list of values' : 'one value'}` }
}

/** Numbers as they were written: `080` is a mistake to be told, not 80. */
function writtenText({ value, source }: { readonly value: unknown; readonly source?: string | undefined }): string {
  return typeof value === 'string' ? value : (source ?? String(value))
}

function isNothing(node: ParsedNode | null | undefined): boolean {
  return node === null || node === undefined || (isScalar(node) && node.value === null)
}

function firstLine(message: string): string {
  return message.split('\n', 1)[0]!
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'you have no permission to read it',
  EISDIR: 'it is a folder, not a file',
  ENOTDIR: 'there is no such file',
}

function readBytes(path: string): Buffer {
  let file: number | undefined
  try {
    // Without O_NONBLOCK a pipe that nobody writes to would be waited for.
    file = openSync(path, 0o4000)
    const about = fstatSync(file)
    if (!about.isFile())
      throw Object.assign(new Error('it is not a file'), { code: about.isDirectory() ? 'EISDIR' : '' })
    if (about.size > LARGEST_FILE) throw new Error('it is larger than 1 MiB: this cannot be a file of settings')
    const bytes = Buffer.alloc(about.size)
    return bytes.subarray(0, readSync(file, bytes))
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    throw new Failure('Config', `${path}: ${REASONS[code] ?? message}: name the file of settings with --config`)
  } finally {
    if (file !== undefined) closeSync(file)
  }
}
