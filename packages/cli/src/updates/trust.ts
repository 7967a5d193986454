import { addressOf, readServiceUrl } from '../account/service-address.js'
import { openTokens } from '../account/token-source.js'
import { writeService } from '../account/write-service.js'
import { ask } from '../console/ask.js'
import { sanitize } from '../console/text/sanitize.js'
import { Failure } from '../failure.js'
import { isPrivate } from '../network/authorization.js'
import type { Session } from '../session.js'
import { LIMITS } from './limits.js'
import { type ReleaseKey, readReleaseKeys } from './release-keys.js'
import { openService } from './service.js'

export interface TrustCommand {
  readonly operands: readonly string[]
  readonly acceptUpdates: boolean
  readonly quiet: boolean
}

/** A service has a key, and for a while two, when one takes the place of the other. */
const MOST_KEYS = 16

/**
 * `omen updates trust <service url>`: fetches the keys with which a service signs its releases, shows their fingerprints, asks,
 * and writes the address and the keys into `config.yaml`, where comments and order stay as they are. Returns the exit code:
 * 1 when somebody says no.
 *
 * @example
 * await trust({ operands: ['https://omen.example.com'], acceptUpdates: false, quiet: false }, session)
 */
export async function trust(command: TrustCommand, session: Session): Promise<number> {
  const url = readServiceUrl(command.operands[0]!)
  const isSafe = isPrivate(url)
  if (!isSafe && command.acceptUpdates) {
    throw new Failure(
      'Usage',
      `${url.origin}: keys that come over http:// could be anybody's: use https://, or leave out -y`,
    )
  }
  const keys = await fetchKeys(url, session)
  const known = knownFingerprints(session)
  if (!command.quiet || !command.acceptUpdates) session.out.write(describe(url, keys, known, isSafe))
  if (!command.acceptUpdates) {
    // Who does not see the fingerprints cannot compare them.
    const answer = session.out.isTerminal ? ask('Trust what they sign?', false) : undefined
    if (answer === undefined) {
      throw new Failure('Usage', 'there is no terminal to ask on: compare the fingerprints, then give -y')
    }
    if (!answer) {
      session.out.write('Nothing was changed.\n')
      return 1
    }
  }
  await writeService({ url: addressOf(url), keys }, session)
  if (!command.quiet)
    session.out.write(`Wrote service.url and updates.publicKeys to ${sanitize(session.loaded.file)}\n`)
  return 0
}

async function fetchKeys(url: URL, session: Session): Promise<readonly ReleaseKey[]> {
  const service = openService({ url: url.href, tokens: openTokens(session, url), env: session.env, limits: LIMITS })
  try {
    return readOfferedKeys(await service.keys(), url)
  } finally {
    service.close()
  }
}

/**
 * Reads what `GET /v1/rules/keys` answers. What a key is called is reckoned from the key itself.
 *
 * @example
 * readOfferedKeys('{"keys": [{"id": "…", "pem": "-----BEGIN PUBLIC KEY-----…"}]}', url)[0].fingerprint
 */
export function readOfferedKeys(text: string, { host }: URL): readonly ReleaseKey[] {
  const wrong = (what: string) => new Failure('Network', `${host}: ${what}`)
  const offered = pemsIn(text)
  if (offered === undefined) throw wrong('this is not a list of release keys: is it an omen-server?')
  if (offered.length === 0) throw wrong('it has no release key: its operator makes one with omen-server keys release')
  if (offered.length > MOST_KEYS) throw wrong(`it has more than ${MOST_KEYS} release keys`)
  return offered.map(({ pem, id, fingerprint }) => {
    const key = readOne(pem)
    const isAsCalled = (id ?? key?.id) === key?.id && bare(fingerprint ?? key?.fingerprint) === key?.fingerprint
    if (!key || !isAsCalled) throw wrong('one of its release keys is not what it is called')
    return key
  })
}

/** Some write the base64 of a fingerprint with its padding. */
function bare(fingerprint: string | undefined): string | undefined {
  return fingerprint?.replace(/=+$/, '')
}

function readOne(pem: string): ReleaseKey | undefined {
  try {
    const keys = pem.includes('-----BEGIN') ? readReleaseKeys([pem]) : []
    return keys.length === 1 ? keys[0] : undefined
  } catch {
    return undefined
  }
}

interface OfferedKey {
  readonly pem: string
  readonly id?: string
  readonly fingerprint?: string
}

function pemsIn(text: string): readonly OfferedKey[] | undefined {
  try {
    const { keys } = JSON.parse(text) as { keys: unknown }
    return Array.isArray(keys) && keys.every((key) => typeof key?.pem === 'string') ? keys : undefined
  } catch {
    return undefined
  }
}

function knownFingerprints({ loaded }: Session): ReadonlySet<string> {
  try {
    return new Set(readReleaseKeys(loaded.settings.publicKeys).map(({ fingerprint }) => fingerprint))
  } catch {
    return new Set()
  }
}

function describe(url: URL, keys: readonly ReleaseKey[], known: ReadonlySet<string>, isSafe: boolean): string {
  const rows = keys.map(({ fingerprint }) => `  ${fingerprint}${known.has(fingerprint) ? '  (trusted already)' : ''}\n`)
  const doubt = isSafe ? '' : 'They came over http://, so they could be anybody’s: compare them with its operator.\n'
  return `${url.host} signs its releases with\n${rows.join('')}${doubt}`
}
