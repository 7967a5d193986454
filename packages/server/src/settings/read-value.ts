import { isAbsolute, resolve } from 'node:path'
import { orList, quote } from '@omen/engine/messages'
import ipaddr from 'ipaddr.js'

/** The folder that relative paths refer to. */
export interface WrittenIn {
  readonly folder: string
}

/** Parses the string of a setting. Its errors say what is wrong and what to write, and never contain a secret. */
export type ReadValue<T> = (written: string, where: WrittenIn) => T

const HOST_NAME = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/i

/** An address or a host name to listen on. */
export const readHost: ReadValue<string> = (written) => {
  const host = written.replace(/^\[(.*)\]$/, '$1')
  if (ipaddr.IPv4.isValidFourPartDecimal(host) || ipaddr.IPv6.isValid(host)) return host
  // A name of digits and dots is a mistyped address.
  if (HOST_NAME.test(host) && !/^[\d.]+$/.test(host)) return host
  throw new Error(`${quote(written)} is not a host: write an address such as 127.0.0.1, 0.0.0.0 or ::, or a host name`)
}

/** A whole number within bounds. */
export function readNumber(what: string, from: number, to: number): ReadValue<number> {
  return (written) => {
    const number = /^\d{1,9}$/.test(written) ? Number(written) : Number.NaN
    if (number >= from && number <= to) return number
    throw new Error(`${quote(written)} is not ${what}: write a whole number from ${from} to ${to}`)
  }
}

/** A folder, made absolute. */
export const readFolder: ReadValue<string> = (written, { folder }) => {
  if (written.includes('\0')) throw new Error('a path cannot contain a NUL character')
  if (/^~(\/|$)/.test(written)) {
    throw new Error(`${quote(written)}: "~" is not expanded here: write the whole path`)
  }
  return isAbsolute(written) ? resolve(written) : resolve(folder, written)
}

/**
 * The URL of one of the three hosts: scheme, host and port only, without a slash at the end. The service is always at the root of
 * its hosts, so a path is an error.
 */
export const readOrigin: ReadValue<string> = (written) => {
  const example = 'write it as https://omen.example.com'
  if (!URL.canParse(written)) throw new Error(`${quote(written)} is not a URL: ${example}`)
  const { protocol, username, password, pathname, search, hash, origin } = new URL(written)
  if (username !== '' || password !== '') throw new Error(`this URL cannot contain a user name or password: ${example}`)
  if (protocol !== 'http:' && protocol !== 'https:') {
    throw new Error(`${quote(written)} is neither http nor https: ${example}`)
  }
  if (pathname !== '/' || search !== '' || hash !== '') {
    throw new Error(`${quote(written)} has more than a host and a port: ${example}, without a path`)
  }
  return origin
}

const TRUE = ['true', '1', 'yes', 'on']
const FALSE = ['false', '0', 'no', 'off']

export const readBoolean: ReadValue<boolean> = (written) => {
  const word = written.toLowerCase()
  if (TRUE.includes(word)) return true
  if (FALSE.includes(word)) return false
  throw new Error(`${quote(written)} is neither true nor false`)
}

/** Addresses and networks, separated by commas or spaces. */
export const readNetworks: ReadValue<readonly string[]> = (written) => {
  const networks = written.split(/[\s,]+/).filter((word) => word !== '')
  const wrong = networks.find((word) => !isNetwork(word))
  if (wrong === undefined) return networks
  throw new Error(`${quote(wrong)} is neither an address nor a network: write it as 10.0.0.5 or 10.0.0.0/8`)
}

function isNetwork(word: string): boolean {
  const [address = '', bits, ...more] = word.split('/')
  const isV4 = ipaddr.IPv4.isValidFourPartDecimal(address)
  if (more.length > 0 || !(isV4 || ipaddr.IPv6.isValid(address))) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (isV4 ? 32 : 128))
}

/** One of a few values. */
export function readChoice<const T extends string>(choices: readonly T[]): ReadValue<T> {
  return (written) => {
    const choice = choices.find((word) => word === written.toLowerCase())
    if (choice !== undefined) return choice
    throw new Error(`${quote(written)} is not ${orList(choices)}`)
  }
}

/** The URL of PostgreSQL. It contains a password, so no message quotes it. */
export const readDatabaseUrl: ReadValue<string> = (written) => {
  if (/^postgres(ql)?:\/\/./.test(written) && URL.canParse(written)) return written
  throw new Error(
    'not the URL of a PostgreSQL database: write postgres://user:password@host:5432/database, with characters such as @ or / in the password as %40 or %2F',
  )
}
