import { quote } from '../../messages/quote.js'
import type { Extract } from '../compiled.js'
import { type DocumentNode, entryOf, type MapNode } from '../document/tree.js'
import { describeNode, readText, type Stated, unknownKeys } from './fields.js'
import type { TermContext } from './term.js'

const NAME = /^[A-Za-z][A-Za-z0-9_]*$/

/** Reads the `extract` list of a term. */
export function readExtracts(term: MapNode, context: TermContext): { readonly extract?: Stated<readonly Extract[]> } {
  const entry = entryOf(term, 'extract')
  if (entry === undefined) return {}
  const { value } = entry
  if (value.kind !== 'list') {
    const message = `extract is a list of maps with a name and a regex or jq, not ${describeNode(value)}`
    context.diagnostics.problem('wrong-type', value.start, message)
    return {}
  }
  const names = new Set<string>()
  const extracts = value.items.flatMap((item) => readExtract(item, names, context) ?? [])
  return { extract: { value: extracts, at: entry.start } }
}

function readExtract(node: DocumentNode, names: Set<string>, context: TermContext): Extract | undefined {
  const { diagnostics } = context
  if (node.kind !== 'map') {
    const message = `an extract entry is a map with a name and a regex or jq, not ${describeNode(node)}`
    diagnostics.problem('bad-extract', node.start, message)
    return undefined
  }
  for (const { value, at } of unknownKeys(node, 'extract')) diagnostics.problem('unknown-key', at, value)
  const name = readName(node, names, context)
  const source = readSource(node, context)
  return name === undefined || source === undefined ? undefined : { name, ...source }
}

function readName(node: MapNode, names: Set<string>, { diagnostics }: TermContext): string | undefined {
  const entry = entryOf(node, 'name')
  if (entry === undefined) {
    diagnostics.problem('bad-extract', node.start, 'an extract entry needs a name')
    return undefined
  }
  const name = readText(entry, 'name', diagnostics)
  if (name === undefined) return undefined
  const at = entry.value.start
  if (!NAME.test(name))
    diagnostics.problem(
      'bad-extract',
      at,
      `the name ${quote(name)} is not allowed: a letter, then letters, digits and _`,
    )
  if (names.has(name))
    diagnostics.problem('bad-extract', at, `the name ${quote(name)} is used twice in one extract list`)
  names.add(name)
  return name
}

function readSource(
  node: MapNode,
  { file, diagnostics, pool }: TermContext,
): Pick<Extract, 'kind' | 'text'> | undefined {
  const given = (['regex', 'jq'] as const).filter((kind) => entryOf(node, kind) !== undefined)
  const [kind] = given
  if (kind === undefined || given.length > 1) {
    diagnostics.problem('bad-extract', node.start, 'an extract entry has exactly one of regex and jq')
    return undefined
  }
  const { value } = entryOf(node, kind)!
  if (value.kind !== 'scalar' || value.text.trim() === '') {
    diagnostics.problem('bad-extract', value.start, `${kind} of an extract entry is a string that is not empty`)
    return undefined
  }
  pool.written.push({ kind, node: value, file, diagnostics })
  return { kind, text: value.text }
}
