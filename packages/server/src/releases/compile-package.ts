import { gunzipSync } from 'node:zlib'
import { Problem } from '../problem.js'

/** The content of a package of rules. */
export interface CompiledPackage {
  readonly version: string | undefined
  readonly rules: number
  readonly notes: string
}

/** Reads a package as its users will. Rejects with a `Problem` when it cannot be used. */
export type CompilePackage = (name: string, bytes: Uint8Array) => Promise<CompiledPackage>

/** The engine's limit for unpacked documents. */
const LARGEST_TEXT = 64 * 1024 * 1024

/** The message is cut here: `omen rules lint` lists all errors. */
const LONGEST_DETAIL = 1000

/**
 * Compiles a package with the engine, in this thread. An untrusted package may take long and much memory: a server does it in
 * another thread (`createCompiler`).
 *
 * @example
 * (await compilePackage('omen-public-cre-rules.1.4.0.3f0c9a1b2d4e.yaml.gz', bytes)).version // '1.4.0'
 */
export const compilePackage: CompilePackage = async (name, bytes) => {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b)
    throw new Problem('invalid_package', `${name} is not compressed with gzip.`)
  const { compileRules, RulesError } = await import('@omen/engine')
  try {
    const { version, rules } = await compileRules([{ name, bytes }], { requireIds: true })
    return { version, rules: rules.length, notes: await readNotes(footerOf(bytes)) }
  } catch (error) {
    if (!(error instanceof RulesError)) throw error
    throw new Problem('invalid_package', `The rules cannot be used. ${cut(error.message)}`)
  }
}

/** The last document, which is small: the documents before it need not be parsed again. */
function footerOf(bytes: Uint8Array): string {
  const text = gunzipSync(bytes, { maxOutputLength: LARGEST_TEXT }).toString('utf8')
  return text.slice(Math.max(0, text.lastIndexOf('\n---\n')))
}

function cut(text: string): string {
  return text.length > LONGEST_DETAIL ? `${text.slice(0, LONGEST_DETAIL)}…` : text
}

/**
 * The `notes` of the version section of a document stream, on one line; empty where there are none.
 *
 * @example
 * await readNotes('section: version\ncontent:\n  - version: 1.4.0\n    notes: Five new rules.\n') // 'Five new rules.'
 */
export async function readNotes(text: string): Promise<string> {
  const { parseAllDocuments } = await import('yaml')
  const documents = parseAllDocuments(text, { logLevel: 'silent' })
  for (const document of Array.isArray(documents) ? documents : []) {
    if (document.errors.length > 0 || document.get('section') !== 'version') continue
    const notes = document.getIn(['content', 0, 'notes'])
    if (typeof notes === 'string') return onOneLine(notes)
  }
  return ''
}

/** The most that a prompt can show. */
export const LONGEST_NOTES = 2000

export function onOneLine(notes: string): string {
  return notes
    .replace(/[\p{Cc}\p{Cs}\s]+/gu, ' ')
    .trim()
    .slice(0, LONGEST_NOTES)
}
