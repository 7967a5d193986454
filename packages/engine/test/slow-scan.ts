import { RE2JS } from 're2js'
import type { CompiledRules } from '../src/rules/compiled.js'
import { messagesOf } from '../src/scan/envelopes/messages.js'
import type { Condition } from '../src/terms/condition.js'

/** An entry with the conditions that it meets. */
export interface ScannedEntry {
  readonly timestamp: bigint
  readonly text: string
  readonly conditions: readonly number[]
}

/** The oracle of the scanner: runs every condition on the text of every entry and on every message inside. */
export function slowScan(
  rules: CompiledRules,
  entries: readonly { readonly timestamp: bigint; readonly text: string }[],
): ScannedEntry[] {
  const tests = rules.conditions.map(slowTest)
  return entries.map(({ timestamp, text }) => ({
    timestamp,
    text,
    conditions: tests.flatMap((meets, index) => ([text, ...messagesOf(text)].some(meets) ? [index] : [])),
  }))
}

export function slowTest({ kind, text }: Condition): (entry: string) => boolean {
  if (kind === 'literal') return (entry) => entry.includes(text)
  if (kind === 'regex') {
    const pattern = RE2JS.compile(text, RE2JS.DOTALL)
    return (entry) => pattern.matcher(entry).find()
  }
  throw new Error('the slow scanner supports literals and regexes only')
}
