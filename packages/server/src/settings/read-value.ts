import { isAbsolute, resolve } from 'node:path'
import ipaddr from 'ipaddr.js'
import { shown } from './shown.js'

/** Where a value was written: relative paths start there. */
export interface WrittenIn {
  readonly folder: string
}

/** Reads a value as it was written. What it throws says what is wrong and what would be right, and never shows a secret. */
export type ReadValue<T> = (written: string, where: WrittenIn) => T

const HOST_NAME = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/i

/** An address or a host name to listen on. */
export const readHost: ReadValue<string> = (written) => {
  const host = written.replace(/^\[(.*)\]$/, '$1')
  if (ipaddr.IPv4.isValidFourPartDecimal(host) || ipaddr.IPv6.isValid(host)) return host
  // A name of digits and dots is an address with a slip in it.
  if (HOST_NAME.test(host) && !/^[\d.]+$/.test(host)) return host
  throw new Error(`${shown(written)} is not a host: write an address such as 127.0.0.1, 0.0.0.0 or ::, or a host name`)
}

/** A whole number within bounds. */
export function readNumber(what: string, from: number, to: number): ReadValue<number> {
  return (written) => {
    const number = /^\d{1,9}$/.test(written) ? Number(written) : Number.NaN
    if (number >= from && number <= to) return number
    throw new Error(`${shown(written)} is not ${what}: write a whole number from ${from} to ${to}`)
  }
}

/** A folder, made absolute. */
export const readFolder: ReadValue<string> = (written, { folder }) => {
  if (written.includes('\0')) throw new Error('a path cannot hold a NUL character')
  if (/^~(\/|$)/.test(written)) {
    throw new Error(`${shown(written)}: "~" is not expanded here: write the whole path`)
  }
  return isAbsolute(written) ? resolve(written) : resolve(folder, written)
}

/**
 * The address of one of the three hosts: scheme, host and port, nothing else, without a slash at the end. The service stands at
 * the root of its hosts, so a path is refused rather than ignored.
 */
export const readOrigin: ReadValue<string> = (written) => {
  const example = 'write it as https://omen.example.com'
  if (!URL.canParse(written)) throw new Error(`${shown(written)} is not a URL: ${example}`)
  const { protocol, username, password, pathname, search, hash, origin } = new URL(written)
  if (username !== '' || password !== '') throw new Error(`a name or password cannot stand in this URL: ${example}`)
  if (protocol !== 'http:' && protocol !== 'https:') {
    throw new Error(`${shown(written)} is neither http nor https: ${example}`)
  }
  if (pathname !== '/' || search !== '' || hash !== '') {
    throw new Error(`${shown(written)} has more than a host and a port: ${example}, without a path`)
  }
  return origin
}

const TRUE = ['true', '1', 'yes', 'on']
const FALSE = ['false', '0', 'no', 'off']

export const readBoolean: ReadValue<boolean> = (written) => {
  const word = written.toLowerCase()
  if (TRUE.includes(word)) return true
  if (FALSE.includes(word)) return false
  throw new Error(`${shown(written)} is neither true nor false`)
}

/** Addresses and networks, separated by commas or blanks. */
export const readNetworks: ReadValue<readonly string[]> = (written) => {
  const networks = written.split(/[\s,]+/).filter((word) => word !== '')
  const wrong = networks.find((word) => !isNetwork(word))
  if (wrong === undefined) return networks
  throw new Error(`${shown(wrong)} is neither an address nor a network: write it as 10.0.0.5 or 10.0.0.0/8`)
}

function isNetwork(word: string): boolean {
  const [address = '', bits, ...more] = word.split('/')
  const isV4 = ipaddr.IPv4.isValidFourPartDecimal(address)
  if (more.length > 0 || !(isV4 || ipaddr.IPv6.isValid(address))) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (isV4 ? 32 : 128))
}

/** One of a few words. */
export function readChoice<const T extends string>(choices: readonly T[]): ReadValue<T> {
  return (written) => {
    const choice = choices.find((word) => word === written.toLowerCase())
    if (choice !== undefined) return choice
    throw new Error(`${shown(written)} is not one of ${choices.join(', ')}`)
  }
}

/** Where PostgreSQL is. It holds a password, so no message repeats it. */
export const readDatabaseUrl: ReadValue<string> = (written) => {
  if (/^postgres(ql)?:\/\/./.test(written) && URL.canParse(written)) return written
  throw new Error(
    'this is not the URL of a PostgreSQL database: write postgres://user:password@host:5432/database, and characters such as @ or / in the password as %40 or %2F',
  )
}
