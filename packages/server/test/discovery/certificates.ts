import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'

/** A certificate and its key in PEM, as `node:https` expects them. */
export interface Identity {
  readonly cert: string
  readonly key: string
}

export interface Authority {
  /** The root certificate in PEM. */
  readonly ca: string
  issue(host: string, options?: { readonly isExpired?: boolean }): Identity
}

const ECDSA_SHA256 = sequence(objectId([0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02]))
const PAST = time(0x17, '000101000000Z')
const OVER = time(0x17, '010101000000Z')
const FUTURE = time(0x18, '29990101000000Z')

/**
 * Makes a certificate authority for tests with `node:crypto` only, without files or other programs.
 *
 * @example
 * const authority = makeAuthority()
 * https.createServer(authority.issue('idp.test'), handler)
 */
export function makeAuthority(): Authority {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const issuer = name('Test authority')
  const isAuthority = extension([0x55, 0x1d, 0x13], true, sequence(tagged(0x01, Buffer.from([0xff]))))
  const certify = (serial: number, subject: Buffer, key: KeyObject, end: Buffer, extra: Buffer) => {
    const body = sequence(
      tagged(0xa0, integer(2)),
      integer(serial),
      ECDSA_SHA256,
      issuer,
      sequence(PAST, end),
      subject,
      key.export({ type: 'spki', format: 'der' }),
      tagged(0xa3, sequence(extra)),
    )
    const signature = Buffer.concat([Buffer.from([0]), sign('sha256', body, privateKey)])
    return pem(sequence(body, ECDSA_SHA256, tagged(0x03, signature)))
  }
  let serial = 1
  return {
    ca: certify(serial, issuer, publicKey, FUTURE, isAuthority),
    issue(host, { isExpired = false } = {}) {
      const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const names = extension([0x55, 0x1d, 0x11], false, sequence(tagged(0x82, Buffer.from(host))))
      serial += 1
      return {
        cert: certify(serial, name(host), pair.publicKey, isExpired ? OVER : FUTURE, names),
        key: pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      }
    },
  }
}

function tagged(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const size = content.length
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 0xff]
  return Buffer.concat([Buffer.from([tag, ...length]), content])
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return tagged(0x30, ...parts)
}

function integer(value: number): Buffer {
  return tagged(0x02, Buffer.from([value]))
}

function objectId(bytes: readonly number[]): Buffer {
  return tagged(0x06, Buffer.from(bytes))
}

function time(tag: number, text: string): Buffer {
  return tagged(tag, Buffer.from(text))
}

function name(commonName: string): Buffer {
  return sequence(tagged(0x31, sequence(objectId([0x55, 0x04, 0x03]), tagged(0x0c, Buffer.from(commonName)))))
}

function extension(id: readonly number[], isCritical: boolean, value: Buffer): Buffer {
  const critical = isCritical ? [tagged(0x01, Buffer.from([0xff]))] : []
  return sequence(objectId(id), ...critical, tagged(0x04, value))
}

function pem(der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? []
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n')
}
