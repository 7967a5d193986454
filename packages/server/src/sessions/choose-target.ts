import type { Urls } from '../onboarding/parts.js'

/** Longer than any address of the app; what is longer is somebody's game. */
const LONGEST = 2_000

/** Browsers read a backslash as a slash, and leave out what cannot be seen. */
const SUSPICIOUS = /[\\\s\p{C}]/u

/** The page of ours on the host of sign-in that people are sent to from their terminals. */
const DEVICE_PATH = '/device'

/**
 * Where a browser goes after its sign-in: an address inside of the app, or the page on which a tool is approved. Whatever else
 * is asked for leads to the app's first page.
 *
 * @example
 * chooseTarget('https://app.example.com/rules?q=kafka', { baseUrl, appUrl: 'https://app.example.com' }) // the same
 * chooseTarget('//evil.example', { baseUrl, appUrl: 'https://app.example.com' }) // 'https://app.example.com/'
 */
export function chooseTarget(asked: string | undefined, { baseUrl, appUrl }: Urls): string {
  const firstPage = new URL('/', appUrl).href
  if (asked === undefined || asked.length > LONGEST || SUSPICIOUS.test(asked) || !URL.canParse(asked)) return firstPage
  const url = new URL(asked)
  if (url.username !== '' || url.password !== '') return firstPage
  if (url.origin === new URL(appUrl).origin) return url.href
  return url.origin === new URL(baseUrl).origin && url.pathname === DEVICE_PATH ? url.href : firstPage
}
