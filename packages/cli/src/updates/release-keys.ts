import { createHash, createPublicKey, createVerify, type KeyObject, type Verify } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Failure } from '../failure.js'
import { readPackaged } from '../packaged/files.js'
import type { Settings } from '../settings/settings.js'

/** A public key that verifies releases. */
export interface ReleaseKey {
  /** The first 16 hexadecimal digits of the hash of the key. */
  readonly id: string
  /** In the format of `ssh-keygen -l`: `SHA256:` and the hash of the key in base64. */
  readonly fingerprint: string
  readonly pem: string
  readonly key: KeyObject
}

const PEM = /-----BEGIN PUBLIC KEY-----[A-Za-z0-9+/=\s]+-----END PUBLIC KEY-----/g

/**
 * Reads public keys from PEM strings, or from files that contain one or several. Throws a `Failure` if a key is not on the curve
 * P-256.
 *
 * @example
 * readReleaseKeys(['/etc/omen/release.pem']).map(({ fingerprint }) => fingerprint)
 */
export function readReleaseKeys(pemsOrPaths: readonly string[]): readonly ReleaseKey[] {
  return pemsOrPaths.flatMap((given) => {
    const isPem = given.includes('-----BEGIN')
    const name = isPem ? 'a key in updates.publicKeys' : given
    const found = (isPem ? given : readKeyFile(given)).match(PEM) ?? []
    if (found.length === 0)
      throw new Failure('Config', `${name}: contains no public key in PEM format ("-----BEGIN PUBLIC KEY-----")`)
    return found.map((pem) => readKey(pem, name))
  })
}

function readKeyFile(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new Failure('Config', `${path}: the public key cannot be read (${code}): check updates.publicKeys`, {
      cause: error,
    })
  }
}

function readKey(pem: string, name: string): ReleaseKey {
  const key = parseKey(pem)
  if (key?.asymmetricKeyDetails?.namedCurve !== 'prime256v1') {
    throw new Failure('Config', `${name}: not a key on the curve P-256: releases are signed with ECDSA P-256`)
  }
  const hash = createHash('sha256').update(key.export({ type: 'spki', format: 'der' }))
  const digest = hash.digest()
  return {
    id: digest.toString('hex').slice(0, 16),
    fingerprint: `SHA256:${digest.toString('base64').replace(/=+$/, '')}`,
    pem: key.export({ type: 'spki', format: 'pem' }).toString(),
    key,
  }
}

function parseKey(pem: string): KeyObject | undefined {
  try {
    return createPublicKey(pem)
  } catch {
    return undefined
  }
}

/** Verifies the signature of a file that is read in chunks. */
export interface SignatureCheck {
  update(bytes: Uint8Array): void
  /** The key that made the signature; undefined if it was none of the given keys. */
  signer(signature: Uint8Array): ReleaseKey | undefined
}

/**
 * Checks a signature (ECDSA P-256 over SHA-256, DER) against any of the keys, in one pass over the file.
 *
 * @example
 * const check = checkSignature(keys)
 * check.update(bytes)
 * check.signer(signature)?.fingerprint
 */
export function checkSignature(keys: readonly ReleaseKey[]): SignatureCheck {
  const checks: { readonly key: ReleaseKey; readonly verify: Verify }[] = keys.map((key) => ({
    key,
    verify: createVerify('sha256'),
  }))
  return {
    update: (bytes) => {
      for (const { verify } of checks) verify.update(bytes)
    },
    signer: (signature) => checks.find(({ key, verify }) => isSigned(verify, key.key, signature))?.key,
  }
}

/** For a signature that is not DER, some versions of Node.js throw, and others return false. */
function isSigned(verify: Verify, key: KeyObject, signature: Uint8Array): boolean {
  try {
    return verify.verify({ key, dsaEncoding: 'der' }, signature)
  } catch {
    return false
  }
}

/** Comes with the tool if its builder has a key. */
const PACKAGED_KEYS = 'release-keys.pem'

/**
 * The keys that verify releases: `updates.publicKeys`, or else the keys that come with the tool. Throws a `Failure` that says how to
 * get a key if there is none.
 *
 * @example
 * trustedKeys(settings).map(({ fingerprint }) => fingerprint)
 */
export function trustedKeys({
  publicKeys,
  serviceUrl,
}: Pick<Settings, 'publicKeys' | 'serviceUrl'>): readonly ReleaseKey[] {
  const keys = readReleaseKeys(publicKeys.length > 0 ? publicKeys : packagedKeys())
  if (keys.length > 0) return keys
  throw new Failure('Config', `no key to verify updates: run omen updates trust ${shownUrl(serviceUrl)}`)
}

function packagedKeys(): readonly string[] {
  try {
    return [readPackaged(PACKAGED_KEYS).toString()]
  } catch {
    return []
  }
}

/** Without user name and password. */
function shownUrl(url: string | undefined): string {
  if (url === undefined || !URL.canParse(url)) return '<service url>'
  const { origin, pathname } = new URL(url)
  return `${origin}${pathname.replace(/\/+$/, '')}`
}
