import type { CompiledRules } from '@omen/engine'
import { nearest } from '@omen/engine/messages'
import type { Source } from '../sources/source.js'

/** What every rule, or every source, is for. */
const ANY = '*'

/**
 * Warns when no rule is for any of the sources: a slip in a data source file would find nothing and say nothing. Where some
 * rule runs, sources without one are normal: one file may serve many sets of rules.
 */
export function warnOfTypes(
  sources: readonly Source[],
  { rules }: CompiledRules,
  warn: (message: string) => void,
): void {
  const known = new Set(rules.map((rule) => rule.source))
  if (known.has(ANY) || sources.some(({ type }) => type === ANY || known.has(type))) return
  for (const { name, type } of sources) {
    const meant = meantType(type, known)
    warn(`${name}: no rule is for ${type}${meant === undefined ? '' : `: did you mean ${meant}?`}`)
  }
}

/** Types share most of their letters, `cre.log.`: what counts is their last word. */
function meantType(type: string, known: ReadonlySet<string>): string | undefined {
  const byWord = new Map([...known].map((one) => [lastWordOf(one), one]))
  const word = nearest(lastWordOf(type), byWord.keys())
  return word === undefined ? undefined : byWord.get(word)
}

function lastWordOf(type: string): string {
  return type.slice(type.lastIndexOf('.') + 1)
}
