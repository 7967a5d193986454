import {
  createHash,
  createPrivateKey,
  createPublicKey,
  createSign,
  createVerify,
  generateKeyPairSync,
  type KeyObject,
  type Verify,
} from 'node:crypto'

/** The public key of a pair that signs releases. */
export interface ReleaseKey {
  /** The first 16 hexadecimal digits of the hash of the key. */
  readonly id: string
  /** `SHA256:` and the hash of the key in base64, as `ssh-keygen -l` shows keys. */
  readonly fingerprint: string
  readonly pem: string
  readonly key: KeyObject
}

/** A new pair, as it is written to files. */
export interface ReleaseKeyPair {
  /** PKCS#8. */
  readonly privatePem: string
  readonly publicKey: ReleaseKey
}

const CURVE = 'prime256v1'

/**
 * Reads a public key on the curve P-256 in PEM; undefined for anything else, also for a private key, which must not be uploaded.
 *
 * @example
 * readPublicKey(readFileSync('release.pub.pem', 'utf8'))?.fingerprint // 'SHA256:…'
 */
export function readPublicKey(pem: string): ReleaseKey | undefined {
  if (/PRIVATE KEY/.test(pem)) return undefined
  return attempt(() => describe(createPublicKey(pem)))
}

/** Reads a private key on the curve P-256 in PEM; undefined for anything else. */
export function readPrivateKey(
  pem: string,
): { readonly privateKey: KeyObject; readonly publicKey: ReleaseKey } | undefined {
  return attempt(() => {
    const privateKey = createPrivateKey(pem)
    const publicKey = describe(createPublicKey(privateKey))
    return publicKey && { privateKey, publicKey }
  })
}

export function makeReleaseKeyPair(): ReleaseKeyPair {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return { privatePem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), publicKey: describe(publicKey)! }
}

function describe(key: KeyObject): ReleaseKey | undefined {
  if (key.asymmetricKeyType !== 'ec' || key.asymmetricKeyDetails?.namedCurve !== CURVE) return undefined
  const digest = createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest()
  return {
    id: digest.toString('hex').slice(0, 16),
    fingerprint: `SHA256:${digest.toString('base64').replace(/=+$/, '')}`,
    pem: key.export({ type: 'spki', format: 'pem' }).toString(),
    key,
  }
}

/** Signs a file that comes in pieces: ECDSA P-256 over SHA-256, in DER. */
export async function signBytes(privateKey: KeyObject, pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const sign = createSign('sha256')
  for await (const piece of pieces) sign.update(piece)
  return sign.sign({ key: privateKey, dsaEncoding: 'der' })
}

/** Verifies the signature of a file that comes in pieces. */
export interface SignatureCheck {
  update(bytes: Uint8Array): void
  /** The key that made the signature; undefined when no known key did. */
  signer(signature: Uint8Array): ReleaseKey | undefined
}

/**
 * Checks a signature against any of some keys, in one pass over the file.
 *
 * @example
 * const check = checkSignature(keys)
 * check.update(bytes)
 * check.signer(signature)?.id
 */
export function checkSignature(keys: readonly ReleaseKey[]): SignatureCheck {
  const checks = keys.map((key) => ({ key, verify: createVerify('sha256') }))
  return {
    update: (bytes) => {
      for (const { verify } of checks) verify.update(bytes)
    },
    signer: (signature) => checks.find(({ key, verify }) => isSigned(verify, key.key, signature))?.key,
  }
}

/** A signature that is not DER is an error in some versions of Node.js, and false in others. */
function isSigned(verify: Verify, key: KeyObject, signature: Uint8Array): boolean {
  return attempt(() => verify.verify({ key, dsaEncoding: 'der' }, signature)) ?? false
}

function attempt<T>(work: () => T | undefined): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
