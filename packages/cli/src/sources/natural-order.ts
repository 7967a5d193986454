const PARTS = /\d+|\D+/g

/**
 * Compares names as people number files: `app.log.2` comes before `app.log.10`. It does not depend on the language of the
 * machine.
 *
 * @example
 * ['app.10', 'app.9'].sort(inNaturalOrder) // ['app.9', 'app.10']
 */
export function inNaturalOrder(a: string, b: string): number {
  const left = a.match(PARTS) ?? []
  const right = b.match(PARTS) ?? []
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const order = compareParts(left[i], right[i])
    if (order !== 0) return order
  }
  return left.length - right.length || compareText(a, b)
}

function compareParts(a: string, b: string): number {
  if (!isNumber(a) || !isNumber(b)) return compareText(a, b)
  const left = a.replace(/^0+/, '')
  const right = b.replace(/^0+/, '')
  return left.length - right.length || compareText(left, right)
}

function isNumber(part: string): boolean {
  return part >= '0' && part < ':'
}

function compareText(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
