import { Refused, Unreachable } from './api.js'
import { type Asking, askForJson } from './ask.js'

/** So many objects at a time: a few megabytes, of which only what is needed is kept. */
const PAGE = 250

/** A list that expires while it is read is begun anew so many times. */
const MOST_BEGINNINGS = 3

/** More pages than any cluster has: a server that goes on for ever is not followed. */
const MOST_PAGES = 4000

/**
 * Lists objects, page by page, and keeps what `read` makes of each.
 *
 * @example
 * const pods = await list(asking, '/api/v1/namespaces/shop/pods', { labelSelector: 'app=web' }, readPod)
 */
export async function list<T>(
  asking: Asking,
  path: string,
  query: Readonly<Record<string, string>>,
  read: (item: unknown) => T | undefined,
): Promise<T[]> {
  for (let beginnings = 1; ; beginnings++) {
    try {
      return await listOnce(asking, path, query, read)
    } catch (error) {
      // What was listed first is too old to go on from.
      const isExpired = error instanceof Refused && error.status === 410
      if (!isExpired || beginnings === MOST_BEGINNINGS) throw error
    }
  }
}

async function listOnce<T>(
  asking: Asking,
  path: string,
  query: Readonly<Record<string, string>>,
  read: (item: unknown) => T | undefined,
): Promise<T[]> {
  const found: T[] = []
  let next = ''
  for (let pages = 0; pages < MOST_PAGES; pages++) {
    const asked = new URLSearchParams({ ...query, limit: String(PAGE), ...(next !== '' && { continue: next }) })
    const page = readPage(await askForJson(asking, `${path}?${asked}`))
    for (const item of page.items) {
      const one = read(item)
      if (one !== undefined) found.push(one)
    }
    if (page.next === '' || page.next === next) return found
    next = page.next
  }
  return found
}

function readPage(value: unknown): { readonly items: readonly unknown[]; readonly next: string } {
  const { items, metadata } = (value ?? {}) as { items?: unknown; metadata?: { continue?: unknown } }
  // An empty list may have null instead.
  if (items !== null && !Array.isArray(items)) throw new Unreachable('not a list of objects')
  const next = metadata?.continue
  return { items: items ?? [], next: typeof next === 'string' ? next : '' }
}
