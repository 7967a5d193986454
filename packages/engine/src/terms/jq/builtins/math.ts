import { describe } from '../values/arithmetic.js'
import { JqError, toDouble, type Value } from '../values/value.js'
import type { FunctionTable, ValueFunction } from './index.js'
import { besselJ, besselY, erf, gammaFunction, logGamma } from './special-functions.js'

function numberOf(value: Value): number {
  const double = toDouble(value)
  if (double === undefined) throw new JqError(`${describe(value)} number required`)
  return double
}

/** Exponent and fraction: `value = fraction × 2^exponent`, the fraction from 0.5 up to 1. */
function split2(value: number): [number, number] {
  if (value === 0 || !Number.isFinite(value)) return [value, 0]
  let exponent = Math.max(-1023, Math.floor(Math.log2(Math.abs(value))) + 1)
  let fraction = scale(value, -exponent)
  while (Math.abs(fraction) < 0.5) {
    fraction *= 2
    exponent--
  }
  while (Math.abs(fraction) >= 1) {
    fraction /= 2
    exponent++
  }
  return [fraction, exponent]
}

/** `value × 2^exponent`, in steps that neither overflow nor lose bits. */
function scale(value: number, exponent: number): number {
  let result = value
  let left = Math.trunc(Math.max(-2200, Math.min(2200, exponent)))
  for (; left > 1000; left -= 1000) result *= 2 ** 1000
  for (; left < -1000; left += 1000) result *= 2 ** -1000
  return result * 2 ** left
}

function roundHalfEven(value: number): number {
  const floor = Math.floor(value)
  const rest = value - floor
  if (rest !== 0.5) return Math.round(value)
  return floor % 2 === 0 ? floor : floor + 1
}

/** Halves are rounded away from zero. */
function round(value: number): number {
  return value < 0 ? -Math.round(-value) : Math.round(value)
}

function nextAfter(from: number, to: number): number {
  if (Number.isNaN(from) || Number.isNaN(to)) return Number.NaN
  if (from === to) return to
  if (from === 0) return to > 0 ? Number.MIN_VALUE : -Number.MIN_VALUE
  const view = new DataView(new ArrayBuffer(8))
  view.setFloat64(0, from)
  const away = to > from === from > 0
  view.setBigInt64(0, view.getBigInt64(0) + (away ? 1n : -1n))
  return view.getFloat64(0)
}

/** The remainder that is nearest to zero. */
function remainder(x: number, y: number): number {
  return Number.isFinite(y) ? x - y * roundHalfEven(x / y) : x
}

const logb = (value: number): number => (value === 0 ? Number.NEGATIVE_INFINITY : split2(value)[1] - 1)

const UNARY: Readonly<Record<string, (value: number) => number>> = {
  acos: Math.acos,
  acosh: Math.acosh,
  asin: Math.asin,
  asinh: Math.asinh,
  atan: Math.atan,
  atanh: Math.atanh,
  cbrt: Math.cbrt,
  ceil: Math.ceil,
  cos: Math.cos,
  cosh: Math.cosh,
  erf,
  erfc: (x) => 1 - erf(x),
  exp: Math.exp,
  exp10: (x) => 10 ** x,
  exp2: (x) => 2 ** x,
  expm1: Math.expm1,
  fabs: Math.abs,
  floor: Math.floor,
  gamma: logGamma,
  j0: (x) => besselJ(0, x),
  j1: (x) => besselJ(1, x),
  lgamma: logGamma,
  log: Math.log,
  log10: Math.log10,
  log1p: Math.log1p,
  log2: Math.log2,
  logb,
  nearbyint: roundHalfEven,
  pow10: (x) => 10 ** x,
  rint: roundHalfEven,
  round,
  significand: (x) => (x === 0 || !Number.isFinite(x) ? x : scale(x, -logb(x))),
  sin: Math.sin,
  sinh: Math.sinh,
  sqrt: Math.sqrt,
  tan: Math.tan,
  tanh: Math.tanh,
  tgamma: gammaFunction,
  trunc: Math.trunc,
  y0: (x) => besselY(0, x),
  y1: (x) => besselY(1, x),
}

const BINARY: Readonly<Record<string, (a: number, b: number) => number>> = {
  atan2: Math.atan2,
  copysign: (a, b) => (Object.is(Math.sign(b), -0) || b < 0 ? -Math.abs(a) : Math.abs(a)),
  drem: remainder,
  fdim: (a, b) => (Number.isNaN(a) || Number.isNaN(b) ? Number.NaN : Math.max(a - b, 0)),
  fmax: (a, b) => (Number.isNaN(a) ? b : Number.isNaN(b) ? a : Math.max(a, b)),
  fmin: (a, b) => (Number.isNaN(a) ? b : Number.isNaN(b) ? a : Math.min(a, b)),
  fmod: (a, b) => a % b,
  hypot: Math.hypot,
  jn: (n, x) => besselJ(Math.trunc(n), x),
  ldexp: scale,
  nextafter: nextAfter,
  nexttoward: nextAfter,
  pow: (a, b) => (a === 1 ? 1 : a === -1 && Math.abs(b) === Number.POSITIVE_INFINITY ? 1 : a ** b),
  remainder,
  scalb: (a, b) => (Number.isFinite(b) ? scale(a, b) : a * 2 ** b),
  scalbln: scale,
  yn: (n, x) => besselY(Math.trunc(n), x),
}

const named = (name: string, arity: number, call: ValueFunction): [string, ValueFunction] => [`${name}/${arity}`, call]

/** Builtins for numbers. */
export const MATH_FUNCTIONS: FunctionTable = {
  ...Object.fromEntries(Object.entries(UNARY).map(([name, f]) => named(name, 0, (input) => f(numberOf(input))))),
  ...Object.fromEntries(
    Object.entries(BINARY).map(([name, f]) => named(name, 2, (_, a, b) => f(numberOf(a!), numberOf(b!)))),
  ),
  'abs/0': (input) => {
    const double = toDouble(input)
    if (double !== undefined) return double < 0 ? -double : input
    if (input !== null && typeof input !== 'boolean') return input
    throw new JqError(`${describe(input)} cannot be negated`)
  },
  'fma/3': (_, a, b, c) => numberOf(a!) * numberOf(b!) + numberOf(c!),
  'frexp/0': (input) => split2(numberOf(input)),
  'modf/0': (input) => {
    const value = numberOf(input)
    const whole = Math.trunc(value)
    return [Number.isFinite(value) ? value - whole : 0, whole]
  },
  'lgamma_r/0': (input) => {
    const value = numberOf(input)
    return [logGamma(value), gammaFunction(value) < 0 ? -1 : 1]
  },
  'infinite/0': () => Number.POSITIVE_INFINITY,
  'nan/0': () => Number.NaN,
  'isinfinite/0': (input) => Math.abs(toDouble(input) ?? 0) === Number.POSITIVE_INFINITY,
  'isnan/0': (input) => Number.isNaN(toDouble(input)),
  'isfinite/0': (input) => {
    const double = toDouble(input)
    return double !== undefined && Math.abs(double) !== Number.POSITIVE_INFINITY
  },
  'isnormal/0': (input) => {
    const size = Math.abs(toDouble(input) ?? 0)
    return size >= 2 ** -1022 && size < Number.POSITIVE_INFINITY
  },
}
