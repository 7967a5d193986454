import { quote } from '../../messages/quote.js'
import type { DocumentNode, MapEntry } from '../document/tree.js'
import { readTerm, type Term, type TermContext } from './term.js'

/** The terms that rules of one file may refer to by name. */
export interface NamedTerms {
  /** A term with every reference followed; undefined when a referenced term is wrong, and that has been reported. */
  resolve(term: Term): Term | undefined
  /** Names that no rule and no other term has asked for. */
  unused(): Iterable<readonly [name: string, at: number]>
}

/** Collects the `terms` of all documents of a file: their names are known before any term or rule is read. */
export function collectNames(
  documents: readonly DocumentNode[],
  context: Pick<TermContext, 'diagnostics'>,
): ReadonlyMap<string, MapEntry> {
  const names = new Map<string, MapEntry>()
  for (const document of documents) {
    const terms = document.kind === 'map' ? document.entries.get('terms')?.value : undefined
    if (terms?.kind !== 'map') continue
    for (const [name, entry] of terms.entries) {
      if (names.has(name))
        context.diagnostics.problem(
          'duplicate-term',
          entry.start,
          `the term ${quote(name)} is defined twice in this file`,
        )
      else names.set(name, entry)
    }
  }
  return names
}

/** Reads the collected terms and finds those that refer to each other in a circle. */
export function readNamedTerms(names: ReadonlyMap<string, MapEntry>, context: TermContext): NamedTerms {
  const terms = new Map<string, Term | undefined>()
  for (const [name, { value }] of names) terms.set(name, readTerm(value, 'named', context))
  const used = new Set<string>()
  const resolved = resolveAll(terms, names, context)
  return {
    resolve: (term) => {
      const reference = referenceOf(term, terms)
      if (reference === undefined) return term
      used.add(reference)
      return override(resolved.get(reference), term)
    },
    *unused() {
      for (const term of terms.values()) if (term !== undefined) used.add(referenceOf(term, terms) ?? '')
      for (const [name, { start }] of names) if (!used.has(name)) yield [name, start]
    },
  }
}

function referenceOf({ condition }: Term, terms: ReadonlyMap<string, unknown>): string | undefined {
  return condition.kind === 'literal' && terms.has(condition.text) ? condition.text : undefined
}

/** Options of the reference override those of the term. */
function override(base: Term | undefined, reference: Term): Term | undefined {
  return base && { ...base, ...reference, condition: base.condition }
}

function resolveAll(
  terms: ReadonlyMap<string, Term | undefined>,
  names: ReadonlyMap<string, MapEntry>,
  { diagnostics }: TermContext,
): ReadonlyMap<string, Term | undefined> {
  const resolved = new Map<string, Term | undefined>()
  for (const first of terms.keys()) {
    // A loop, not recursion: a hostile chain may be a million terms long.
    const path: string[] = []
    const onPath = new Set<string>()
    let name: string | undefined = first
    while (name !== undefined && !resolved.has(name) && !onPath.has(name)) {
      path.push(name)
      onPath.add(name)
      const term: Term | undefined = terms.get(name)
      name = term && referenceOf(term, terms)
    }
    if (name !== undefined && onPath.has(name)) {
      const circle = path.slice(path.indexOf(name))
      diagnostics.problem('term-cycle', names.get(name)!.start, circleMessage(circle))
      for (const member of circle) resolved.set(member, undefined)
    }
    for (const member of path.reverse()) {
      if (resolved.has(member)) continue
      const term = terms.get(member)
      const reference = term && referenceOf(term, terms)
      resolved.set(member, reference === undefined ? term : override(resolved.get(reference), term!))
    }
  }
  return resolved
}

function circleMessage(circle: readonly string[]): string {
  const [first = '', ...others] = circle.slice(0, 5).map(quote)
  if (others.length === 0)
    return `the term ${first} refers to itself: to look for the string ${first}, give the term another name`
  const more = circle.length > 5 ? [`${circle.length - 5} more`] : []
  return `the terms ${[first, ...others, ...more].join(' and ')} refer to each other in a circle`
}
