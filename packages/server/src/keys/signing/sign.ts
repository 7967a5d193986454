import { type KeyObject, sign } from 'node:crypto'
import type { SigningKey } from '../key-ring.js'

/** Signs a text (ES256), as the last part of a token: base64url. */
export type Sign = (key: SigningKey, text: string) => Promise<string>

/** A signature of 64 bytes, as tokens have it. */
export const signatureOf = (key: KeyObject, text: Buffer): Buffer =>
  sign('sha256', text, { key, dsaEncoding: 'ieee-p1363' })

/** The same as text, of a text. */
export const textSignatureOf = ({ privateKey }: SigningKey, text: string): string =>
  signatureOf(privateKey, Buffer.from(text)).toString('base64url')

/** Signs in this thread, at once. */
export const signHere: Sign = async (key, text) => textSignatureOf(key, text)
