import { createHash } from 'node:crypto'
import { isVersion } from '@omen/engine/versions'
import { gzipSync } from 'fflate'
import { readNotes } from './compile-package.js'
import { type PackageName, packageName } from './file-names.js'

export interface RuleDocument {
  /** Its name in messages. */
  readonly name: string
  readonly text: string
}

export interface PackageOptions {
  /** Without it, the version that the documents state. */
  readonly version?: string
  readonly channel: PackageName['channel']
}

export interface RulePackage extends PackageName {
  readonly name: string
  readonly bytes: Uint8Array
  readonly sha256: string
  readonly rules: number
  /** What is new in it, in one line, if the documents say so. */
  readonly notes: string
}

/**
 * Packs rule documents into the file that is published. The same documents give the same bytes on every machine: they are
 * compressed by a library, because what zlib writes differs between its builds and between processors. Rejects with the engine's
 * `RulesError` when the documents cannot be used.
 *
 * @example
 * (await packPackage([{ name: 'kafka.yaml', text }], { channel: 'public', version: '1.4.0' })).name
 */
export async function packPackage(documents: readonly RuleDocument[], options: PackageOptions): Promise<RulePackage> {
  const { packRules } = await import('@omen/engine')
  const { version: given, channel } = options
  const { text, rules } = await packRules(documents, {
    name: 'package',
    ...(given !== undefined && { version: given }),
  })
  const version = given ?? rules.version ?? ''
  if (!isVersion(version))
    throw new TypeError(`${JSON.stringify(version)} is not a version such as 1.4.0 or 1.4.0-rc.1`)
  const notes = await notesOf(documents)
  const whole = notes === '' ? text : `${text}    notes: ${JSON.stringify(notes)}\n`
  const bytes = gzipSync(new TextEncoder().encode(whole), { level: 9, mtime: 0 })
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const name = packageName({ channel, version, sha256 })
  return { name, channel, version, hash: sha256.slice(0, 12), bytes, sha256, rules: rules.rules.length, notes }
}

/** The notes beside the version. The engine has checked the documents before. */
async function notesOf(documents: readonly RuleDocument[]): Promise<string> {
  for (const { text } of documents) {
    if (!/^section:/m.test(text)) continue
    const notes = await readNotes(text)
    if (notes !== '') return notes
  }
  return ''
}
