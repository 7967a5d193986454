import { isUtf8 } from 'node:buffer'
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { nearest, quote } from '@omen/engine/messages'
import { isAlias, isMap, isScalar, isSeq, LineCounter, type ParsedNode, parseDocument } from 'yaml'
import { Failure } from '../failure.js'
import { SETTING_KEYS, SETTINGS, type SettingKey } from './setting-table.js'

/** A value as it is written in the file. */
export interface WrittenValue {
  readonly text: string
  readonly line: number
}

export interface ConfigFile {
  readonly values: ReadonlyMap<SettingKey, WrittenValue>
  /** `config.yaml:3: …`, each to be printed as it is. */
  readonly failures: readonly string[]
}

/** Settings need far less; a longer file is another file. */
const LARGEST_FILE = 1 << 20

/**
 * Reads a settings file: a YAML map from the names of settings to their values. Invalid entries are returned, not thrown, so that
 * they are reported together with invalid flags and variables. A file that cannot be read throws a `Failure`.
 *
 * @example
 * readConfigFile('/etc/omen/server.yaml').values.get('port') // { text: '8443', line: 2 }
 */
export function readConfigFile(path: string): ConfigFile {
  const bytes = readBytes(path)
  if (!isUtf8(bytes)) throw new Failure('Config', `${path}: the file is not UTF-8: save it as UTF-8`)
  const lines = new LineCounter()
  const text = bytes.toString('utf8').replace(/^\ufeff/, '')
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, logLevel: 'silent' })
  const lineOf = (offset: number | undefined) => lines.linePos(offset ?? 0).line
  const failures: string[] = []
  const values = new Map<SettingKey, WrittenValue>()
  const report = (offset: number | undefined, message: string) => failures.push(`${path}:${lineOf(offset)}: ${message}`)
  for (const error of document.errors) report(error.pos[0], `not YAML: ${firstLine(error.message)}`)
  const root = document.contents
  if (failures.length > 0 || isNothing(root)) return { values, failures }
  if (!isMap(root)) {
    report(root?.range?.[0], 'a settings file has one line for each setting, such as port: 8080')
    return { values, failures }
  }
  for (const { key, value } of root.items) {
    const at = (key as ParsedNode).range?.[0]
    const read = readEntry(isScalar(key) ? String(key.value) : '', value as ParsedNode | null)
    if ('failure' in read) report(at, read.failure)
    else if (read.text !== undefined) values.set(read.key, { text: read.text, line: lineOf(at) })
  }
  return { values, failures }
}

type Entry = { readonly failure: string } | { readonly key: SettingKey; readonly text: string | undefined }

function readEntry(name: string, value: ParsedNode | null): Entry {
  const key = SETTING_KEYS.find((known) => known === name)
  if (key === undefined) {
    const meant = nearest(name, SETTING_KEYS)
    return { failure: `unknown setting ${quote(name)}${meant ? `: did you mean ${meant}?` : ''}` }
  }
  // A key without a value is not set, like an empty variable.
  if (isNothing(value)) return { key, text: undefined }
  if (isScalar(value)) return { key, text: writtenText(value) }
  const items = SETTINGS[key].isList && isSeq(value) ? value.items : []
  if (isSeq(value) && SETTINGS[key].isList && items.every((item) => isScalar(item))) {
    return { key, text: items.map((item) => (isScalar(item) ? writtenText(item) : '')).join(',') }
  }
  if (isAlias(value)) return { failure: `${key}: aliases are not supported: write the value itself` }
  return { failure: `${key} takes ${SETTINGS[key].isList ? 'a list of values' : 'one value'}` }
}

/** A number as it is written: `080` is a mistake, not 80. */
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
  ENOENT: 'the file does not exist',
  EACCES: 'permission denied',
  EISDIR: 'it is a folder, not a file',
  ENOTDIR: 'the file does not exist',
}

function readBytes(path: string): Buffer {
  let file: number | undefined
  try {
    // O_NONBLOCK: opening a named pipe without a writer would block.
    file = openSync(path, 0o4000)
    const about = fstatSync(file)
    if (!about.isFile())
      throw Object.assign(new Error('it is not a file'), { code: about.isDirectory() ? 'EISDIR' : '' })
    if (about.size > LARGEST_FILE) throw new Error('it is larger than 1 MiB, so it is not a settings file')
    const bytes = Buffer.alloc(about.size)
    return bytes.subarray(0, readSync(file, bytes))
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    throw new Failure('Config', `${path}: ${REASONS[code] ?? message}: name the settings file with --config`)
  } finally {
    if (file !== undefined) closeSync(file)
  }
}
