import type { KubeObject } from './objects.js'
import { groupVersionOf, type Resource } from './resources.js'
import { isSelector, meets } from './selector.js'
import { type StatusError, statusError } from './status.js'

/** One page of the objects that match the selectors, with a token for the next page. */
export function pageOf(
  objects: readonly KubeObject[],
  resource: Resource,
  query: URLSearchParams,
  largestPage = Number.POSITIVE_INFINITY,
): { readonly json: object } | StatusError {
  const selector = query.get('labelSelector') ?? ''
  if (!isSelector(selector)) return statusError(400, `unable to parse requirement: found '${selector}'`)
  const [, wanted] = /^metadata\.name==?(.*)$/.exec(query.get('fieldSelector') ?? '') ?? []
  const chosen = objects
    .filter(({ metadata }) => meets(selector, metadata.labels ?? {}) && (wanted ?? metadata.name) === metadata.name)
    .sort((a, b) => (sortKeyOf(a) < sortKeyOf(b) ? -1 : 1))
  const from = startOf(query.get('continue'))
  if (from === undefined)
    return statusError(410, 'The provided continue parameter is too old to display a consistent list result.')
  const limit = Math.min(Number(query.get('limit') ?? 0) || Number.POSITIVE_INFINITY, largestPage)
  const items = chosen.slice(from, from + limit)
  const rest = chosen.length - from - items.length
  const more = rest > 0 ? { continue: tokenFor(from + items.length), remainingItemCount: rest } : {}
  const kind = `${resource.kind}List`
  return { json: { kind, apiVersion: groupVersionOf(resource), metadata: { resourceVersion: '1', ...more }, items } }
}

function sortKeyOf({ metadata }: KubeObject): string {
  return `${metadata.namespace}/${metadata.name}`
}

function tokenFor(from: number): string {
  return Buffer.from(JSON.stringify({ from })).toString('base64url')
}

function startOf(token: string | null): number | undefined {
  if (token === null || token === '') return 0
  try {
    return Number(JSON.parse(Buffer.from(token, 'base64url').toString()).from)
  } catch {
    return undefined
  }
}
