import { readFileSync } from 'node:fs'
import type { RuleFile } from './rule-files.js'

/** The rules that come with the tool: one document, packed from `rules/` when the tool is built. */
export function readBundledRules(): RuleFile {
  return { name: 'bundled rules', bytes: readFileSync(new URL('./rules.yaml', import.meta.url)) }
}
