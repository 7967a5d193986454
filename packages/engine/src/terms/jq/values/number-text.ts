import { Decimal } from './value.js'

/** The digits of a number: `0.d₁d₂d₃… × 10^point`, without zeros on either side of the digits. */
interface Parts {
  readonly negative: boolean
  readonly digits: string
  readonly point: number
}

const NUMBER = /^(-?)([0-9]*)(?:\.([0-9]*))?(?:[eE]([+-]?[0-9]+))?$/
const PLAIN = /^-?(?:0|[1-9][0-9]{0,14})$/
// Beyond this the decimal library of jq gives infinity too.
const MAX_EXPONENT = 999_999_999

/** The number that a string represents: a double, or a `Decimal` if a double would lose digits or the spelling. */
export function numberFromText(text: string): number | Decimal {
  const double = Number(text)
  // Most numbers are short integers, whose text is canonical.
  if (PLAIN.test(text)) return double
  const canonical = canonicalText(text)
  return canonical === undefined || canonical === formatNumber(double) ? double : new Decimal(canonical, clamp(double))
}

/** In arithmetic, a literal beyond the range of doubles is the greatest finite double. */
function clamp(double: number): number {
  return Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, double))
}

/** Digits as written, in plain notation or with an exponent by the rule of IEEE 754 decimals. */
function canonicalText(text: string): string | undefined {
  const [, sign, whole, fraction = '', exponentText = '0'] = NUMBER.exec(text) ?? []
  if (whole === undefined) return undefined
  const digits = (whole + fraction).replace(/^0+(?=[0-9])/, '')
  const exponent = Number(exponentText) - fraction.length
  const adjusted = exponent + digits.length - 1
  if (Math.abs(adjusted) > MAX_EXPONENT) return undefined
  if (exponent <= 0 && adjusted >= -6) {
    if (exponent === 0) return sign + digits
    const padded = digits.padStart(1 - exponent, '0')
    return `${sign}${padded.slice(0, exponent)}.${padded.slice(exponent)}`
  }
  const mantissa = digits.length === 1 ? digits : `${digits[0]}.${digits.slice(1)}`
  return `${sign}${mantissa}E${adjusted < 0 ? '' : '+'}${adjusted}`
}

/** How jq writes a double: the fewest digits that represent it, with an exponent if the decimal point is far from them. */
export function formatNumber(value: number): string {
  if (Number.isNaN(value)) return 'null'
  const finite = clamp(value)
  if (Number.isInteger(finite) && Math.abs(finite) < 1e15) return Object.is(finite, -0) ? '-0' : String(finite)
  const { negative, digits, point } = partsOf(String(finite))
  const sign = negative ? '-' : ''
  if (point <= -4 || point > digits.length + 15) {
    const exponent = point - 1
    const fraction = digits.length > 1 ? `.${digits.slice(1)}` : ''
    return `${sign}${digits[0]}${fraction}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`
  }
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`
  if (point >= digits.length) return sign + digits.padEnd(point, '0')
  return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`
}

function partsOf(text: string): Parts {
  const [, sign, whole = '', fraction = '', exponentText = '0'] = NUMBER.exec(text)!
  const all = whole + fraction
  const leading = /^0*/.exec(all)![0].length
  const digits = all.slice(leading).replace(/0+$/, '')
  return { negative: sign === '-', digits, point: whole.length - leading + Number(exponentText) }
}

/** Compares two numbers of which at least one is a `Decimal`, digit by digit. */
export function compareDecimals(a: number | Decimal, b: number | Decimal): number {
  if (Number.isNaN(a) || Number.isNaN(b)) return Number.isNaN(a) ? -1 : 1
  const x = partsOf(typeof a === 'number' ? String(clamp(a)) : a.text)
  const y = partsOf(typeof b === 'number' ? String(clamp(b)) : b.text)
  if (x.digits === '' || y.digits === '') return signOf(x) - signOf(y)
  if (x.negative !== y.negative) return x.negative ? -1 : 1
  return magnitude(x, y) * (x.negative ? -1 : 1)
}

function signOf({ negative, digits }: Parts): number {
  return digits === '' ? 0 : negative ? -1 : 1
}

function magnitude(x: Parts, y: Parts): number {
  if (x.point !== y.point) return x.point < y.point ? -1 : 1
  return x.digits === y.digits ? 0 : x.digits < y.digits ? -1 : 1
}
