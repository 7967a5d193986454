import { readPackaged } from '../packaged/files.js'
import type { RuleFile } from './rule-files.js'

/** The rules that come with the tool. */
export interface BundledRules extends RuleFile {
  /** The document as `exportRules` writes it, made when the tool is built: when no other rules run, nothing is compiled. */
  readonly compiled: string
}

/**
 * The rules that come with the tool: one document, packed from `rules/` when the tool is built. What nobody asks for is not
 * read.
 *
 * @example
 * const { compiled } = readBundledRules()
 */
export function readBundledRules(): BundledRules {
  let bytes: Uint8Array | undefined
  return {
    name: 'bundled rules',
    get bytes() {
      bytes ??= readPackaged('rules.yaml')
      return bytes
    },
    get compiled() {
      return readPackaged('rules.compiled').toString()
    },
  }
}
