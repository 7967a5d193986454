import { quote } from '../../messages/quote.js'
import { type DocumentNode, scalarValue } from '../document/tree.js'

/** What a node is, for a message that says what should be there instead. */
export function describeNode(node: DocumentNode): string {
  if (node.kind !== 'scalar') return `a ${node.kind}`
  const value = scalarValue(node)
  if (value === null) return 'nothing'
  return typeof value === 'string' ? `the text ${quote(value)}` : quote(node.text).slice(1, -1)
}
