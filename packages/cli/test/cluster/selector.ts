/** One requirement of a label selector. */
type Requirement = (labels: Readonly<Record<string, string>>) => boolean

/**
 * Whether labels match a selector in the syntax of `labelSelector=`: `a=b`, `a==b`, `a!=b`, `a`, `!a`, `a in (b,c)`, `a notin (b)`.
 *
 * @example
 * meets('app=web,tier in (front,back)', { app: 'web', tier: 'front' }) // true
 */
export function meets(selector: string, labels: Readonly<Record<string, string>>): boolean {
  return requirementsOf(selector).every((requirement) => requirement(labels))
}

/** The requirements of a selector; undefined for one that is not valid. */
export function isSelector(selector: string): boolean {
  try {
    requirementsOf(selector)
    return true
  } catch {
    return false
  }
}

function requirementsOf(selector: string): Requirement[] {
  // A comma in brackets does not separate requirements.
  return selector
    .split(/,(?![^(]*\))/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map(readRequirement)
}

function readRequirement(text: string): Requirement {
  const set = /^(\S+)\s+(in|notin)\s+\(([^)]*)\)$/.exec(text)
  if (set) {
    const [, key, operator, list] = set as unknown as [string, string, string, string]
    const values = list.split(',').map((value) => value.trim())
    const isIn = (labels: Readonly<Record<string, string>>) => key in labels && values.includes(labels[key]!)
    return operator === 'in' ? isIn : (labels) => !isIn(labels)
  }
  const [, absent, key, operator, value] = /^(!)?([\w./-]+)(?:\s*(==|=|!=)\s*([\w.-]*))?$/.exec(text) ?? []
  if (key === undefined) throw new Error(`unable to parse requirement: ${text}`)
  if (absent) return (labels) => !(key in labels)
  if (operator === undefined) return (labels) => key in labels
  return operator === '!=' ? (labels) => labels[key] !== value : (labels) => labels[key] === value
}
