import type { LoadedFile } from './compile.js'
import type { ReadRule } from './reading/rule.js'

/** Reports every identifier that an earlier rule already has. Of two rules, the later one is named. */
export function reportDuplicates(files: readonly LoadedFile[]): void {
  const seen = { hash: new Set<string>(), id: new Set<string>(), creId: new Set<string>() }
  for (const { rules, diagnostics } of files) {
    for (const read of rules) {
      const { hash, id, creId } = identifiersOf(read)
      // A derived identifier repeats wherever the CRE id does: reporting it would add nothing.
      const isCopy = seen.creId.has(creId.value)
      for (const [kind, { value, at, derived }] of Object.entries({ hash, id, creId })) {
        const values = seen[kind as keyof typeof seen]
        if (values.has(value) && !(derived && isCopy)) {
          diagnostics.about(creId.value).problem('duplicate-rule', at, duplicateMessage(value, creId.value))
        }
        values.add(value)
      }
    }
  }
}

/** The message is fixed, whichever identifier is repeated: programs search for it. */
export function duplicateMessage(value: string, creId: string): string {
  return `duplicate rule hash id=${value} cre=${creId}`
}

interface Identifier {
  readonly value: string
  readonly at: number
  readonly derived?: boolean
}

function identifiersOf({ rule, creId, id, hash }: ReadRule): Record<'hash' | 'id' | 'creId', Identifier> {
  return {
    hash: hash ?? { value: rule.ruleHash, at: creId.at, derived: true },
    id: id ?? { value: rule.ruleId, at: creId.at, derived: true },
    creId,
  }
}
