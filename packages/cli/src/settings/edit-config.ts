import type { Document, YAMLMap } from 'yaml'

/** A service and the keys that sign its releases; without keys, the trusted ones are kept. */
export interface ConfiguredService {
  readonly url: string
  readonly keys?: readonly { readonly pem: string; readonly fingerprint: string }[]
}

/** Keeps long lines and braces as the user wrote them. */
const WRITE = { lineWidth: 0, flowCollectionPadding: false } as const

/** A list whose items are not indented below their key. */
const FLUSH_LIST = /^( *)[^\s#][^\n]*:(?: *#[^\n]*)?\r?\n\1- /m

/**
 * Returns the text of `config.yaml` with `service.url` set, and `updates.publicKeys` if there are keys. Comments and the order of
 * keys are kept.
 *
 * @example
 * await withService('skip: 10 # lines\n', { url: 'https://omen.example.com', keys })
 */
export async function withService(text: string, { url, keys }: ConfiguredService): Promise<string> {
  const { isMap, parseDocument, Scalar, YAMLSeq } = await import('yaml')
  const document: Document = parseDocument(text)
  mapIn('service').set('url', url)
  if (keys) {
    const list = new YAMLSeq()
    for (const { pem, fingerprint } of keys) {
      const key = new Scalar(pem)
      key.type = 'BLOCK_LITERAL'
      key.commentBefore = ` ${fingerprint}`
      list.add(key)
    }
    const updates = mapIn('updates')
    // A key has several lines, which do not fit into braces.
    updates.flow = false
    updates.set('publicKeys', list)
  }
  const written = document.toString({ ...WRITE, indentSeq: !FLUSH_LIST.test(text) })
  return text.includes('\r\n') ? written.replaceAll(/\r?\n/g, '\r\n') : written

  function mapIn(name: string): YAMLMap {
    const found = document.get(name)
    if (isMap(found)) return found
    const fresh = document.createNode({}) as YAMLMap
    fresh.flow = false
    document.set(name, fresh)
    return fresh
  }
}
