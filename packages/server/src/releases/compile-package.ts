import { gunzipSync } from 'node:zlib'
import { Problem } from '../problem.js'
import { readNotes } from './notes.js'

/** What is in a package of rules. */
export interface CompiledPackage {
  readonly version: string | undefined
  readonly rules: number
  readonly notes: string
}

/** Reads a package as those who install it will. Rejects with a `Problem` when it cannot be used. */
export type CompilePackage = (name: string, bytes: Uint8Array) => Promise<CompiledPackage>

/** As much as the engine unpacks. */
const LARGEST_TEXT = 64 * 1024 * 1024

/** What is wrong is told up to here: whoever makes a package has tools that tell the rest. */
const LONGEST_DETAIL = 1000

/**
 * Compiles a package with the engine, in this thread. Somebody else's package may take long and much memory: a server does it in
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

/** The last document, which is small: what lies before it need not be parsed once more. */
function footerOf(bytes: Uint8Array): string {
  const text = gunzipSync(bytes, { maxOutputLength: LARGEST_TEXT }).toString('utf8')
  return text.slice(Math.max(0, text.lastIndexOf('\n---\n')))
}

function cut(text: string): string {
  return text.length > LONGEST_DETAIL ? `${text.slice(0, LONGEST_DETAIL)}…` : text
}
