/** Digits and letters without those that look alike, in the order that Bitcoin made common. */
const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** Bytes as one number in base 58, filled up on the left to a fixed length so that equal sizes give equal lengths. */
export function base58(bytes: Uint8Array, length: number): string {
  let number = 0n
  for (const byte of bytes) number = number * 256n + BigInt(byte)
  let text = ''
  for (; number > 0n; number /= 58n) text = ALPHABET[Number(number % 58n)]! + text
  return text.padStart(length, ALPHABET[0])
}
