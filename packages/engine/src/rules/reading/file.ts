import { quote } from '../../messages/quote.js'
import type { Diagnostics } from '../diagnostics.js'
import { type DocumentNode, entryOf, type MapNode, type ParsedFile } from '../document/tree.js'
import type { ConditionPool } from '../pool.js'
import { describeNode, ignoredKeys, readText } from './fields.js'
import type { GroupContext } from './group.js'
import { collectNames, readNamedTerms } from './named-terms.js'
import { type ReadRule, readRule } from './rule.js'

/** The content of one file. */
export interface ReadFile {
  readonly rules: readonly ReadRule[]
  /** From the package footer. */
  readonly version?: string
}

export interface FileContext {
  /** The text of the file. */
  readonly file: string
  readonly diagnostics: Diagnostics
  readonly pool: ConditionPool
  readonly requireIds: boolean
}

const SEMVER = /^v?[0-9]+\.[0-9]+\.[0-9]+(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/

/** Reads the documents of a file: first the names of all terms, which are global to it, then terms and rules. */
export function readFile({ documents, problems }: ParsedFile, context: FileContext): ReadFile {
  const { diagnostics, requireIds } = context
  for (const { code, at, message } of problems)
    diagnostics.problem(code, at, code === 'yaml' ? `not valid YAML: ${message}` : message)
  if (problems.length === 0 && documents.length === 0) {
    diagnostics.problem('empty-document', 0, 'the document is empty: it needs rules')
  }
  const names = collectNames(documents, context)
  const terms = { ...context, isName: (text: string) => names.has(text) }
  const named = readNamedTerms(names, terms)
  const maps = documents.filter((document) => isMap(document, diagnostics))
  const rules = maps.flatMap((map) => readRules(map, { ...terms, named }, requireIds))
  for (const [name, at] of named.unused())
    diagnostics.lint(at, `the term ${quote(name)} is used by no rule of this file`)
  const version = maps.map((map) => readFooter(map, diagnostics)).find((found) => found !== undefined)
  return { rules, ...(version !== undefined && { version }) }
}

function isMap(document: DocumentNode, diagnostics: Diagnostics): document is MapNode {
  if (document.kind === 'map') return true
  const message = `the document is not a map but ${describeNode(document)}: it needs a key rules`
  diagnostics.problem('wrong-type', document.start, message)
  return false
}

function readRules(document: MapNode, context: GroupContext, requireIds: boolean): ReadRule[] {
  const { diagnostics } = context
  for (const { value, at } of ignoredKeys(document, 'document')) diagnostics.warn(at, value)
  const terms = entryOf(document, 'terms')
  if (terms && terms.value.kind !== 'map') {
    const message = `terms is a map of names and terms, not ${describeNode(terms.value)}`
    diagnostics.problem('wrong-type', terms.value.start, message)
  }
  const entry = entryOf(document, 'rules')
  if (entry === undefined) {
    const isFooter = entryOf(document, 'section') !== undefined && terms === undefined
    if (!isFooter)
      diagnostics.problem('no-rules', document.start, 'the document has no rules: it needs a list under the key rules')
    return []
  }
  if (entry.value.kind !== 'list') {
    diagnostics.problem('wrong-type', entry.value.start, `rules is a list, not ${describeNode(entry.value)}`)
    return []
  }
  if (entry.value.items.length === 0)
    diagnostics.problem('no-rules', entry.start, 'the document has no rules: the list is empty')
  return entry.value.items.flatMap((item) => readRule(item, context, requireIds) ?? [])
}

/** The version in a package footer: `section: version`, `content: [{version: 1.2.3}]`. */
function readFooter(document: MapNode, diagnostics: Diagnostics): string | undefined {
  const section = entryOf(document, 'section')
  if (section === undefined) return undefined
  const name = readText(section, 'section', diagnostics)
  if (name !== undefined && name !== 'version')
    diagnostics.warn(section.start, `unknown section ${quote(name)}: known is version`)
  if (name !== 'version') return undefined
  const content = entryOf(document, 'content')?.value
  const [first] = content?.kind === 'list' ? content.items : []
  const version = first?.kind === 'map' ? entryOf(first, 'version')?.value : undefined
  if (version?.kind === 'scalar' && SEMVER.test(version.text)) return version.text
  const at = (version ?? content)?.start ?? section.start
  diagnostics.problem('bad-section', at, 'a version section has content: [{version: 1.2.3}], with a semantic version')
  return undefined
}
