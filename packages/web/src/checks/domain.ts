import { bad, type Check, doubtful, EMPTY, good, partial } from './check.js'

const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/
const LONGEST = 253

/**
 * Checks the domain of an organization's e-mail addresses as it is typed. What was pasted as an address of a person or of
 * a web site is offered as the domain in it.
 *
 * @example
 * checkDomain('jo@acme.com') // { state: 'bad', message: '…', fix: 'acme.com' }
 */
export function checkDomain(text: string): Check {
  const typed = text.trim()
  if (typed === '') return EMPTY
  const inside = domainInside(typed)
  if (inside !== undefined) return bad('Only the part after the @ is needed.', inside)
  if (/[\s/@:]/.test(typed)) return bad('A domain looks like acme.com.')
  const ascii = asciiDomain(typed)
  if (ascii === undefined) return bad('A domain has letters, digits, hyphens and dots only.')
  const labels = ascii.split('.')
  if (typed.endsWith('.')) return partial('The domain ends with a dot.')
  if (labels.length < 2) return partial('The ending is missing, as in acme.com.')
  if (/^\d+$/.test(labels.at(-1) ?? '')) return bad('This is the address of a machine, not a domain.')
  if (ascii.length > LONGEST || !labels.every((label) => LABEL.test(label))) {
    return bad('A domain has letters, digits, hyphens and dots only, with something between the dots.')
  }
  if (labels.at(-1)!.length < 2) return partial('The ending is too short.')
  if (PUBLIC_MAIL_DOMAINS.has(ascii)) {
    return doubtful(ascii, `Anybody can have an address at ${ascii}. Enter a domain that your organization owns.`)
  }
  if (labels[0] === 'www' && labels.length > 2) {
    return doubtful(ascii, 'E-mail addresses rarely have “www.”.', labels.slice(1).join('.'))
  }
  return good(ascii, ascii === typed.toLowerCase() ? undefined : `Sent as ${ascii}.`)
}

/** The domain in an e-mail address or a web address. */
function domainInside(typed: string): string | undefined {
  const afterAt = /^[^\s/]*@([^\s@/]+)$/.exec(typed)?.[1]
  if (afterAt !== undefined) return asciiDomain(afterAt)
  if (/^https?:\/\//i.test(typed) && URL.canParse(typed)) return new URL(typed).hostname.replace(/^www\./, '')
  return undefined
}

/** The form in which the browser, and the service, compare names: lower case, with `xn--` for letters beyond ASCII. */
function asciiDomain(name: string): string | undefined {
  // Characters that would end the host name, or mean something in it, are no part of a name.
  if (/[\s/\\?#@:%[\]]/.test(name)) return undefined
  if (/^[\d.]+$/.test(name)) return name.toLowerCase()
  const address = `http://${name.replace(/\.$/, '')}/`
  return URL.canParse(address) ? new URL(address).hostname : undefined
}

/**
 * Domains where anybody can have an address, so that none of them belongs to one organization. The service knows many more
 * and decides; these are the ones that an administrator is likely to type.
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
