import { createHash, createPublicKey, createVerify, type KeyObject, type Verify } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Failure } from '../failure.js'

/** A key that signs releases. */
export interface ReleaseKey {
  /** The first 16 hexadecimal digits of the hash of the key. */
  readonly id: string
  /** As `ssh-keygen -l` shows it: `SHA256:` and the hash of the key in base64. */
  readonly fingerprint: string
  readonly pem: string
  readonly key: KeyObject
}

const PEM = /-----BEGIN PUBLIC KEY-----[A-Za-z0-9+/=\s]+-----END PUBLIC KEY-----/g

/**
 * Reads public keys: PEM texts, or the paths of files that hold one or several. Throws a `Failure` for what is no key on the
 * curve P-256.
 *
 * @example
 * readReleaseKeys(['/etc/omen/release.pem']).map(({ fingerprint }) => fingerprint)
 */
export function readReleaseKeys(textsOrPaths: readonly string[]): readonly ReleaseKey[] {
  return textsOrPaths.flatMap((given) => {
    const isText = given.includes('-----BEGIN')
    const name = isText ? 'a key in updates.publicKeys' : given
    const found = (isText ? given : readKeyFile(given)).match(PEM) ?? []
    if (found.length === 0) throw new Failure('Config', `${name}: no public key in PEM ("-----BEGIN PUBLIC KEY-----")`)
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

/** Takes the bytes of a file, in pieces, and says in the end whose signature it carries. */
export interface SignatureCheck {
  update(bytes: Uint8Array): void
  /** The key that made the signature; undefined when it was none of those that are known. */
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

/** A signature that is not even DER is an error in some versions of Node.js, and a plain no in others. */
function isSigned(verify: Verify, key: KeyObject, signature: Uint8Array): boolean {
  try {
    return verify.verify({ key, dsaEncoding: 'der' }, signature)
  } catch {
    return false
  }
}
