import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose'
import type { Clock } from '../clock.js'
import { FetchFailure } from '../discovery/fetch-failure.js'
import type { GuardedFetch } from '../discovery/guarded-fetch.js'
import { readJsonObject } from '../discovery/read-json.js'

/** Keys that were withdrawn are believed this long at most. */
const MAX_AGE_MS = 10 * 60_000

/** After a search for an unknown key, the next one has to wait: a flood of made-up key ids must not become one of requests. */
const PAUSE_MS = 60_000

/** Key sets kept at once, some kilobytes each. The one that was used least recently gives way. */
const MOST_SETS = 1_000

/** Identity providers publish two or three keys. */
const MOST_KEYS = 100

/** The keys of identity providers, as jose asks for them. */
export interface KeySets {
  /** Finds the key of a token among those that stand at a URL. Rejects with a `FetchFailure` when they cannot be read. */
  at(jwksUri: string): JWTVerifyGetKey
}

interface KeySet {
  readonly find: ReturnType<typeof createLocalJWKSet>
  readonly fetchedAt: number
}

interface Shelf {
  set: KeySet | undefined
  /** A fetch under way, which all who need it wait for. */
  fetching: Promise<KeySet> | undefined
  /** When an unknown key was last searched for. */
  searchedAt: number | undefined
}

/**
 * Keeps the published keys of identity providers for some minutes. A key that is not among them may be new: they are fetched
 * again, once, and then not before a minute has passed.
 *
 * @example
 * const keySets = createKeySets({ guarded, clock: () => new Date() })
 * await jwtVerify(idToken, keySets.at(provider.jwksUri), { algorithms: provider.signingAlgorithms })
 */
export function createKeySets({ guarded, clock }: { readonly guarded: GuardedFetch; readonly clock: Clock }): KeySets {
  const shelves = new Map<string, Shelf>()

  const shelfOf = (uri: string): Shelf => {
    const shelf = shelves.get(uri) ?? { set: undefined, fetching: undefined, searchedAt: undefined }
    shelves.delete(uri)
    shelves.set(uri, shelf)
    for (const oldest of shelves.keys()) {
      if (shelves.size <= MOST_SETS) break
      shelves.delete(oldest)
    }
    return shelf
  }
  const fetchInto = (shelf: Shelf, uri: string): Promise<KeySet> => {
    shelf.fetching ??= fetchKeys(uri, guarded)
      .then((find) => {
        shelf.set = { find, fetchedAt: clock().getTime() }
        return shelf.set
      })
      .finally(() => {
        shelf.fetching = undefined
      })
    return shelf.fetching
  }

  return {
    at: (uri) => async (header, token) => {
      const shelf = shelfOf(uri)
      const known = shelf.set
      const isFresh = known !== undefined && isWithin(known.fetchedAt, MAX_AGE_MS, clock())
      const set = isFresh ? known : await fetchInto(shelf, uri)
      try {
        return await set.find(header, token)
      } catch (error) {
        if (!(error instanceof errors.JWKSNoMatchingKey) || !isFresh) throw error
        // Whoever came meanwhile has fetched a newer set already.
        if (shelf.set === set && !maySearch(shelf, clock())) throw error
        const newer = shelf.set === set ? await fetchInto(shelf, uri) : shelf.set!
        return newer.find(header, token)
      }
    },
  }
}

/** Notes the search: of those who ask at once all wait for the same fetch, and later ones are told no. */
function maySearch(shelf: Shelf, now: Date): boolean {
  if (shelf.fetching !== undefined) return true
  if (shelf.searchedAt !== undefined && isWithin(shelf.searchedAt, PAUSE_MS, now)) return false
  shelf.searchedAt = now.getTime()
  return true
}

/** A moment in the future was noted before the clock was set back: it counts for nothing. */
function isWithin(moment: number, milliseconds: number, now: Date): boolean {
  const passed = now.getTime() - moment
  return passed >= 0 && passed < milliseconds
}

async function fetchKeys(uri: string, guarded: GuardedFetch): Promise<KeySet['find']> {
  const answer = await guarded.fetch(uri)
  if (answer.status !== 200) throw new FetchFailure('unreachable', `it answers with status ${answer.status}`)
  const { keys } = readJsonObject(answer)
  if (!Array.isArray(keys)) throw new FetchFailure('unreachable', 'it holds no list of keys')
  const usable = keys
    .slice(0, MOST_KEYS)
    .filter((key) => typeof key === 'object' && key !== null && !Array.isArray(key))
  return createLocalJWKSet({ keys: usable } as JSONWebKeySet)
}
