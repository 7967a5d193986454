/** The polynomial by which QR codes reckon with bytes: x⁸ + x⁴ + x³ + x² + 1. */
const PRIMITIVE = 0x11d

/** Powers of 2 in the field of 256 elements, twice over, so that sums of two exponents need no remainder. */
const POWERS = new Uint8Array(510)
const LOGARITHMS = new Uint8Array(256)
for (let exponent = 0, value = 1; exponent < 255; exponent++) {
  POWERS[exponent] = value
  POWERS[exponent + 255] = value
  LOGARITHMS[value] = exponent
  value <<= 1
  if (value > 255) value ^= PRIMITIVE
}

/** The product of two bytes in the field. */
export function multiply(a: number, b: number): number {
  return a === 0 || b === 0 ? 0 : POWERS[LOGARITHMS[a]! + LOGARITHMS[b]!]!
}

/** A power of 2 in the field. */
export function powerOfTwo(exponent: number): number {
  return POWERS[exponent % 255]!
}

/**
 * The bytes that a reader corrects errors with (Reed and Solomon): the remainder of the data, as a polynomial, divided by the
 * product of (x − 2⁰) … (x − 2ⁿ⁻¹).
 *
 * @example
 * correctionFor(dataOfBlock, 10) // 10 bytes, which stand behind the data
 */
export function correctionFor(data: Uint8Array, count: number): Uint8Array {
  const divisor = divisorOf(count)
  const remainder = new Uint8Array(count)
  for (const byte of data) {
    const factor = byte ^ remainder[0]!
    remainder.copyWithin(0, 1)
    remainder[count - 1] = 0
    for (let i = 0; i < count; i++) remainder[i]! ^= multiply(divisor[i]!, factor)
  }
  return remainder
}

/** Its coefficients, the highest first, without the leading 1. */
function divisorOf(count: number): Uint8Array {
  const divisor = new Uint8Array(count)
  divisor[count - 1] = 1
  for (let root = 0; root < count; root++) {
    for (let i = 0; i < count; i++) {
      divisor[i] = multiply(divisor[i]!, powerOfTwo(root)) ^ (divisor[i + 1] ?? 0)
    }
  }
  return divisor
}
