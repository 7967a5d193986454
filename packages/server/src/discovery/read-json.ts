import { quote } from '@omen/engine/messages'
import { FetchFailure } from './fetch-failure.js'
import type { GuardedAnswer } from './guarded-fetch.js'

/** A JSON object of somebody else: nothing is known of its members. */
export type Document = Readonly<Record<string, unknown>>

/**
 * Reads the JSON object in an answer, whatever its `Content-Type` says; throws a `FetchFailure` where there is none.
 *
 * @example
 * readJsonObject(await guarded.fetch(url)).issuer
 */
export function readJsonObject({ body }: GuardedAnswer): Document {
  const text = decode(body)
  const value = text === undefined ? undefined : parse(text)
  if (value === undefined) {
    const isPage = text !== undefined && /^\s*<(?:!doctype|html|\?xml|head|body)/i.test(text)
    throw new FetchFailure('unreachable', isPage ? 'its answer is not JSON but a web page' : 'its answer is not JSON')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new FetchFailure('unreachable', `its answer is not a JSON object but ${quote(value)}`)
  }
  return value as Document
}

function decode(body: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch {
    return undefined
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
