// Numerical versions of the functions of C's library that JavaScript lacks. Good to about twelve digits.

const LANCZOS = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
]

function lanczos(x: number): { sum: number; t: number } {
  let sum = LANCZOS[0]!
  for (let i = 1; i < LANCZOS.length; i++) sum += LANCZOS[i]! / (x + i)
  return { sum, t: x + LANCZOS.length - 1.5 }
}

/** Γ(x). */
export function gammaFunction(x: number): number {
  if (Number.isInteger(x)) {
    if (x <= 0) return x === 0 ? Number.POSITIVE_INFINITY : Number.NaN
    if (x <= 171) {
      let product = 1
      for (let i = 2; i < x; i++) product *= i
      return product
    }
  }
  if (x < 0.5) return Math.PI / (Math.sin(Math.PI * x) * gammaFunction(1 - x))
  const { sum, t } = lanczos(x - 1)
  return Math.sqrt(2 * Math.PI) * t ** (x - 0.5) * Math.exp(-t) * sum
}

/** ln |Γ(x)|. */
export function logGamma(x: number): number {
  if (Number.isInteger(x) && x <= 0) return Number.POSITIVE_INFINITY
  if (x === 1 || x === 2) return 0
  if (x < 0.5) return Math.log(Math.PI / Math.abs(Math.sin(Math.PI * x))) - logGamma(1 - x)
  if (!Number.isFinite(x)) return x
  const { sum, t } = lanczos(x - 1)
  return 0.5 * Math.log(2 * Math.PI) + (x - 0.5) * Math.log(t) - t + Math.log(sum)
}

/** The error function, by its series near zero and by its continued fraction elsewhere. */
export function erf(x: number): number {
  if (Number.isNaN(x)) return x
  const size = Math.abs(x)
  if (size > 6) return Math.sign(x)
  if (size < 2.5) {
    let term = size
    let sum = size
    for (let n = 1; Math.abs(term) > 1e-17; n++) {
      term *= -(size * size) / n
      sum += term / (2 * n + 1)
    }
    return (Math.sign(x) * 2 * sum) / Math.sqrt(Math.PI)
  }
  let fraction = 0
  for (let n = 60; n > 0; n--) fraction = n / 2 / (size + fraction)
  return Math.sign(x) * (1 - Math.exp(-size * size) / ((size + fraction) * Math.sqrt(Math.PI)))
}

const SLICES = 400

/** The Bessel function of the first kind, by Bessel's integral; the trapezoidal rule is exact for periodic functions. */
export function besselJ(order: number, x: number): number {
  if (!Number.isFinite(x)) return 0
  let sum = (1 + Math.cos(order * Math.PI)) / 2
  for (let i = 1; i < SLICES; i++) {
    const angle = (Math.PI * i) / SLICES
    sum += Math.cos(order * angle - x * Math.sin(angle))
  }
  return sum / SLICES
}

/** The Bessel function of the second kind, by its two integrals. */
export function besselY(order: number, x: number): number {
  if (x <= 0) return x === 0 ? Number.NEGATIVE_INFINITY : Number.NaN
  const n = Math.abs(order)
  const sign = order < 0 && n % 2 === 1 ? -1 : 1
  const first = simpson((t) => Math.sin(x * Math.sin(t) - n * t), Math.PI)
  const alternating = n % 2 === 0 ? 1 : -1
  const reach = Math.asinh(750 / x)
  const second = simpson(
    (t) => Math.exp(n * t - x * Math.sinh(t)) + alternating * Math.exp(-n * t - x * Math.sinh(t)),
    reach,
  )
  return (sign * (first - second)) / Math.PI
}

function simpson(f: (t: number) => number, end: number): number {
  const slices = SLICES * 10
  const width = end / slices
  let sum = f(0) + f(end)
  for (let i = 1; i < slices; i++) sum += f(i * width) * (i % 2 === 0 ? 2 : 4)
  return (sum * width) / 3
}
