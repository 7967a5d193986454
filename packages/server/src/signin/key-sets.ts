import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose'
import type { Clock } from '../clock.js'
import { FetchFailure } from '../discovery/fetch-failure.js'
import { type GuardedFetch, readJsonObject } from '../discovery/guarded-fetch.js'

/** How long fetched keys are used. A withdrawn key is accepted for this time at most. */
const MAX_AGE_MS = 10 * 60_000

/** Between two fetches for unknown keys, so that tokens with made-up key ids do not cause many requests. */
const PAUSE_MS = 60_000

/** How many key sets are kept, of some kilobytes each. The least recently used one is dropped. */
const MOST_SETS = 1_000

/** Identity providers publish two or three keys. */
const MOST_KEYS = 100

/** The keys of identity providers, in the form that jose expects. */
export interface KeySets {
  /** Finds the key of a token among those at a URL. Rejects with a `FetchFailure` if they cannot be fetched. */
  at(jwksUri: string): JWTVerifyGetKey
}

interface KeySet {
  readonly find: ReturnType<typeof createLocalJWKSet>
  readonly fetchedAt: number
}

interface CacheEntry {
  set: KeySet | undefined
  /** A running fetch, shared by all who need the keys. */
  fetching: Promise<KeySet> | undefined
  /** When the keys were last fetched because of an unknown key. */
  searchedAt: number | undefined
}

/**
 * Caches the published keys of identity providers for 10 minutes. An unknown key may be new, so it causes another fetch, but at
 * most one per minute.
 *
 * @example
 * const keySets = createKeySets({ guarded, clock: () => new Date() })
 * await jwtVerify(idToken, keySets.at(provider.jwksUri), { algorithms: provider.signingAlgorithms })
 */
export function createKeySets({ guarded, clock }: { readonly guarded: GuardedFetch; readonly clock: Clock }): KeySets {
  const entries = new Map<string, CacheEntry>()

  const entryFor = (uri: string): CacheEntry => {
    const entry = entries.get(uri) ?? { set: undefined, fetching: undefined, searchedAt: undefined }
    entries.delete(uri)
    entries.set(uri, entry)
    for (const oldest of entries.keys()) {
      if (entries.size <= MOST_SETS) break
      entries.delete(oldest)
    }
    return entry
  }
  const fetchInto = (entry: CacheEntry, uri: string): Promise<KeySet> => {
    entry.fetching ??= fetchKeys(uri, guarded)
      .then((find) => {
        entry.set = { find, fetchedAt: clock().getTime() }
        return entry.set
      })
      .finally(() => {
        entry.fetching = undefined
      })
    return entry.fetching
  }

  return {
    at: (uri) => async (header, token) => {
      const entry = entryFor(uri)
      const known = entry.set
      const isFresh = known !== undefined && isWithin(known.fetchedAt, MAX_AGE_MS, clock())
      const set = isFresh ? known : await fetchInto(entry, uri)
      try {
        return await set.find(header, token)
      } catch (error) {
        if (!(error instanceof errors.JWKSNoMatchingKey) || !isFresh) throw error
        // A concurrent request may have fetched a newer set already.
        if (entry.set === set && !maySearch(entry, clock())) throw error
        const newer = entry.set === set ? await fetchInto(entry, uri) : entry.set!
        return newer.find(header, token)
      }
    },
  }
}

/** Records the search. Concurrent requests wait for the same fetch; later ones must wait for the pause to end. */
function maySearch(entry: CacheEntry, now: Date): boolean {
  if (entry.fetching !== undefined) return true
  if (entry.searchedAt !== undefined && isWithin(entry.searchedAt, PAUSE_MS, now)) return false
  entry.searchedAt = now.getTime()
  return true
}

/** A time in the future was recorded before the clock was set back: it is ignored. */
function isWithin(time: number, milliseconds: number, now: Date): boolean {
  const passed = now.getTime() - time
  return passed >= 0 && passed < milliseconds
}

async function fetchKeys(uri: string, guarded: GuardedFetch): Promise<KeySet['find']> {
  const response = await guarded.fetch(uri)
  if (response.status !== 200) throw new FetchFailure('unreachable', `it returned status ${response.status}`)
  const { keys } = readJsonObject(response)
  if (!Array.isArray(keys)) throw new FetchFailure('unreachable', 'it contains no list of keys')
  const usable = keys
    .slice(0, MOST_KEYS)
    .filter((key) => typeof key === 'object' && key !== null && !Array.isArray(key))
  return createLocalJWKSet({ keys: usable } as JSONWebKeySet)
}
