import { addressOf, readServiceUrl } from '../account/service-address.js'
import { openTokens } from '../account/token-source.js'
import { writeService } from '../account/write-service.js'
import { ask } from '../console/ask.js'
import { sanitize } from '../console/text/sanitize.js'
import { Failure } from '../failure.js'
import { isPrivate } from '../network/authorization.js'
import type { Session } from '../session.js'
import { type ReleaseKey, readReleaseKeys } from './release-keys.js'
import { LIMITS, openService } from './service.js'

export interface TrustCommand {
  readonly operands: readonly string[]
  readonly acceptUpdates: boolean
  readonly quiet: boolean
}

/** A service has one key, and two while one replaces the other. */
const MAX_KEYS = 16

/**
 * `omen updates trust <service url>`: requests the public keys of a service, shows their fingerprints, asks, and writes the address and the
 * keys into `config.yaml` without changing its comments and order. Returns the exit code: 1 if the user declines.
 *
 * @example
 * await trust({ operands: ['https://omen.example.com'], acceptUpdates: false, quiet: false }, session)
 */
export async function trust(command: TrustCommand, session: Session): Promise<number> {
  const url = readServiceUrl(command.operands[0]!)
  const isSafe = isPrivate(url)
  if (!isSafe && command.acceptUpdates) {
    throw new Failure('Usage', `${url.origin}: keys sent over http:// may be forged: use https://, or omit -y`)
  }
  const keys = await fetchKeys(url, session)
  const known = knownFingerprints(session)
  if (!command.quiet || !command.acceptUpdates) session.out.write(describe(url, keys, known, isSafe))
  if (!command.acceptUpdates) {
    // Without a terminal the user cannot compare the fingerprints.
    const answer = session.out.isTerminal ? ask('Trust these keys?', false) : undefined
    if (answer === undefined) {
      throw new Failure('Usage', 'cannot ask without a terminal: compare the fingerprints, then use -y')
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
 * Reads the response of `GET /v1/rules/keys`. The ID and the fingerprint of a key must be those of its PEM.
 *
 * @example
 * readOfferedKeys('{"keys": [{"id": "…", "pem": "-----BEGIN PUBLIC KEY-----…"}]}', url)[0].fingerprint
 */
export function readOfferedKeys(text: string, { host }: URL): readonly ReleaseKey[] {
  const invalid = (what: string) => new Failure('Network', `${host}: ${what}`)
  const offered = pemsIn(text)
  if (offered === undefined) throw invalid('this is not a list of release keys: is it an omen-server?')
  if (offered.length === 0)
    throw invalid('it has no release key: its operator creates one with omen-server keys release')
  if (offered.length > MAX_KEYS) throw invalid(`it has more than ${MAX_KEYS} release keys`)
  return offered.map(({ pem, id, fingerprint }) => {
    const key = readOne(pem)
    const matches = (id ?? key?.id) === key?.id && withoutPadding(fingerprint ?? key?.fingerprint) === key?.fingerprint
    if (!key || !matches) throw invalid('the fingerprint of a release key is not that of the key')
    return key
  })
}

/** Some services send the fingerprint with the padding of base64. */
function withoutPadding(fingerprint: string | undefined): string | undefined {
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
  const rows = keys.map(({ fingerprint }) => `  ${fingerprint}${known.has(fingerprint) ? '  (already trusted)' : ''}\n`)
  const warning = isSafe ? '' : 'They were sent over http:// and may be forged: compare them with the operator.\n'
  return `${url.host} signs its releases with\n${rows.join('')}${warning}`
}
