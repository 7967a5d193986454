import { codewordsOf, symbolFor } from './codewords.js'
import { penaltyOf } from './penalty.js'
import { drawSymbol, MASKS, type QrSymbol } from './symbol.js'

/**
 * A text as a QR code (ISO/IEC 18004): bytes of UTF-8, the smallest of the versions 1 to 10 that holds it, and the mask that is
 * easiest to read. Undefined for what is longer than 271 bytes.
 *
 * @example
 * encodeQr('https://omen.example.com/device?user_code=WDJB-MJHT')?.size // 29
 */
export function encodeQr(text: string): QrSymbol | undefined {
  const bytes = new TextEncoder().encode(text)
  const fitting = symbolFor(bytes.length)
  if (!fitting) return undefined
  const { version, level } = fitting
  const codewords = codewordsOf(bytes, version, level)
  const drawn = MASKS.map((_, mask) => {
    const symbol = drawSymbol(codewords, version, level, mask)
    return { symbol, penalty: penaltyOf(symbol) }
  })
  return drawn.reduce((best, next) => (next.penalty < best.penalty ? next : best)).symbol
}
