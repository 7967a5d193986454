import { bad, type Check, doubtful, EMPTY, good, partial } from './check.js'

const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/
const LONGEST = 253

/**
 * Checks the domain of an organization's e-mail addresses as it is typed. For an e-mail address or a URL, the domain in it
 * is offered.
 *
 * @example
 * checkDomain('jo@acme.com') // { state: 'bad', message: '…', fix: 'acme.com' }
 */
export function checkDomain(text: string): Check {
  const typed = text.trim()
  if (typed === '') return EMPTY
  const inside = domainInside(typed)
  if (inside !== undefined) return bad('Enter only the domain.', inside)
  if (/[\s/@:]/.test(typed)) return bad('A domain looks like acme.com.')
  const ascii = asciiDomain(typed)
  if (ascii === undefined) return bad('A domain contains only letters, digits, hyphens and dots.')
  const labels = ascii.split('.')
  if (typed.endsWith('.')) return partial('The domain cannot end with a dot.')
  if (labels.length < 2) return partial('The top-level domain is missing, for example “.com”.')
  if (/^\d+$/.test(labels.at(-1) ?? '')) return bad('This is an IP address, not a domain.')
  if (ascii.length > LONGEST || !labels.every((label) => LABEL.test(label))) {
    return bad('A domain contains only letters, digits, hyphens and dots, with at least one character between dots.')
  }
  if (labels.at(-1)!.length < 2) return partial('The top-level domain is too short.')
  if (PUBLIC_MAIL_DOMAINS.has(ascii)) {
    return doubtful(ascii, `Anyone can get an address at ${ascii}. Enter a domain that your organization owns.`)
  }
  if (labels[0] === 'www' && labels.length > 2) {
    return doubtful(ascii, 'E-mail addresses rarely contain “www.”.', labels.slice(1).join('.'))
  }
  return good(ascii, ascii === typed.toLowerCase() ? undefined : `Sent as ${ascii}.`)
}

/** The domain in an e-mail address or a URL. */
function domainInside(typed: string): string | undefined {
  const afterAt = /^[^\s/]*@([^\s@/]+)$/.exec(typed)?.[1]
  if (afterAt !== undefined) return asciiDomain(afterAt)
  if (/^https?:\/\//i.test(typed) && URL.canParse(typed)) return new URL(typed).hostname.replace(/^www\./, '')
  return undefined
}

/** The form in which the browser and the service compare domains: lower case, with `xn--` for letters beyond ASCII. */
function asciiDomain(name: string): string | undefined {
  // Characters that end a host name in a URL, or have a meaning in it, are not part of a domain.
  if (/[\s/\\?#@:%[\]]/.test(name)) return undefined
  if (/^[\d.]+$/.test(name)) return name.toLowerCase()
  const address = `http://${name.replace(/\.$/, '')}/`
  return URL.canParse(address) ? new URL(address).hostname : undefined
}

/**
 * Domains where anyone can get an address, so they belong to no organization. The service has a longer list and decides;
 * these are the ones that an administrator is likely to type.
 */
export const PUBLIC_MAIL_DOMAINS: ReadonlySet<string> = new Set([
  'aol.com',
  'fastmail.com',
  'free.fr',
  'gmail.com',
  'gmx.com',
  'gmx.de',
  'gmx.net',
  'googlemail.com',
  'hey.com',
  'hotmail.co.uk',
  'hotmail.com',
  'icloud.com',
  'laposte.net',
  'libero.it',
  'live.com',
  'mac.com',
  'mail.com',
  'mail.ru',
  'me.com',
  'msn.com',
  'naver.com',
  'orange.fr',
  'outlook.com',
  'pm.me',
  'proton.me',
  'protonmail.com',
  'qq.com',
  't-online.de',
  'tutanota.com',
  'web.de',
  'yahoo.co.jp',
  'yahoo.co.uk',
  'yahoo.com',
  'yahoo.de',
  'yahoo.fr',
  'yandex.com',
  'yandex.ru',
  'ymail.com',
  'zoho.com',
  '126.com',
  '163.com',
])
