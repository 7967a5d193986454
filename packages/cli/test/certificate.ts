import { generateKeyPairSync, sign } from 'node:crypto'

/** A self-signed certificate for a host, with the minimum of fields. */
export function selfSigned(host: string): { key: string; cert: string } {
  const der = (tag: number, ...parts: readonly Uint8Array[]) => {
    const content = Buffer.concat(parts)
    return Buffer.concat([Buffer.from([tag, ...sizeOf(content.length)]), content])
  }
  const sequence = (...parts: readonly Uint8Array[]) => der(0x30, ...parts)
  const hex = (text: string) => Buffer.from(text, 'hex')
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const ecdsaWithSha256 = sequence(der(6, hex('2a8648ce3d040302')))
  const name = sequence(der(0x31, sequence(der(6, hex('550403')), der(0x0c, Buffer.from(host)))))
  const validity = sequence(der(0x18, Buffer.from('20200101000000Z')), der(0x18, Buffer.from('99991231235959Z')))
  const names = sequence(der(6, hex('551d11')), der(4, sequence(der(0x82, Buffer.from(host)))))
  const content = sequence(
    der(0xa0, der(2, hex('02'))),
    der(2, hex('01')),
    ecdsaWithSha256,
    name,
    validity,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(names)),
  )
  const signature = der(3, hex('00'), sign('sha256', content, privateKey))
  const certificate = sequence(content, ecdsaWithSha256, signature).toString('base64')
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${certificate}\n-----END CERTIFICATE-----\n`,
  }
}

/** A length in the shortest encoding, which Go requires. */
function sizeOf(length: number): readonly number[] {
  if (length < 128) return [length]
  return length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
}
