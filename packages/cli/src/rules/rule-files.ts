import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** A rule document as it lies on disk. */
export interface RuleFile {
  readonly name: string
  readonly bytes: Uint8Array
}

const RULE_DOCUMENT = /\.ya?ml(\.gz)?$/i

/**
 * Reads the rule documents at a path: a file, or every `.yaml` and `.yml` file (gzip-compressed ones too) in a folder and
 * the folders below it, in the order of their names.
 */
export function readRuleFiles(path: string): RuleFile[] {
  if (!statSync(path).isDirectory()) return [{ name: path, bytes: readFileSync(path) }]
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && RULE_DOCUMENT.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((name) => ({ name, bytes: readFileSync(name) }))
}
