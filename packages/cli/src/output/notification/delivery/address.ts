import { Failure } from '../../../failure.js'

/** The address of a webhook. Everything except the host is a secret. */
export interface Address {
  /** Without user and password. */
  readonly url: URL
  /** Safe to show. */
  readonly host: string
  readonly headers: Readonly<Record<string, string>>
  /** Strings that must not be shown, in every encoding that a service may repeat. */
  readonly secrets: readonly string[]
}

/** Shorter parts, such as `api`, occur in many texts and are not secrets. */
const SHORTEST_SECRET = 6

/**
 * Parses the address of a webhook. A user name and password become a header.
 *
 * @example
 * readAddress('https://hooks.slack.com/services/T0/B0/x').host   // 'hooks.slack.com'
 */
export function readAddress(webhook: string): Address {
  const given = URL.canParse(webhook) ? new URL(webhook) : undefined
  if (given?.protocol !== 'http:' && given?.protocol !== 'https:') {
    throw new Failure('Config', 'notification.webhook is not an http:// or https:// address')
  }
  const url = new URL(given)
  url.username = ''
  url.password = ''
  url.hash = ''
  return { url, host: url.host, headers: authorization(given), secrets: secretsOf(given) }
}

function authorization({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {}
  const credentials = Buffer.from(`${decode(username)}:${decode(password)}`).toString('base64')
  return { authorization: `Basic ${credentials}` }
}

function secretsOf({ username, password, pathname, searchParams, search }: URL): string[] {
  const parts = [username, password, ...pathname.split('/'), ...searchParams.values(), search.slice(1)]
  const spellings = parts.flatMap((part) => [part, decode(part), encodeURIComponent(part)])
  return [...new Set(spellings)].filter((part) => part.length >= SHORTEST_SECRET)
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
