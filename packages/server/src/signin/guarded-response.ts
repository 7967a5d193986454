import type { CustomFetchOptions } from 'openid-client'
import { FetchFailure } from '../discovery/fetch-failure.js'
import type { GuardedAnswer, GuardedFetch } from '../discovery/guarded-fetch.js'

/** Statuses whose response has no body, says the standard of `fetch`. */
const WITHOUT_BODY = new Set([204, 205, 304])

/**
 * Lets a library that wants `fetch` go out through the guard: public addresses, no redirects, bounded in time and size.
 *
 * @example
 * configuration[customFetch] = guardedResponse(guarded)
 */
export function guardedResponse(
  guarded: GuardedFetch,
): (url: string, options: CustomFetchOptions) => Promise<Response> {
  return async (url, { method, headers, body }) => {
    const answer = await guarded.fetch(url, {
      method: method === 'POST' ? 'POST' : 'GET',
      headers,
      ...(body === undefined || body === null ? {} : { body: String(body) }),
    })
    return toResponse(answer)
  }
}

function toResponse({ status, headers, body }: GuardedAnswer): Response {
  if (status < 200 || status > 599) throw new FetchFailure('unreachable', `it answers with status ${status}`)
  const challenge = headers['www-authenticate']
  return new Response(WITHOUT_BODY.has(status) ? null : Buffer.from(body), {
    status,
    // JSON is read whatever its type says; what is signed is not JSON, and is not read.
    headers: {
      'content-type': 'application/json',
      ...(challenge === undefined ? {} : { 'www-authenticate': challenge }),
    },
  })
}
