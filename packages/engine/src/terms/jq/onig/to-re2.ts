import { codeRe2 } from './classes.js'
import type { CharacterSet, OnigNode } from './node.js'

/**
 * The pattern as RE2 writes it, `undefined` where RE2 cannot do what it says. `$` and `\Z` are written as the very end,
 * so the result holds for texts that do not end in a line feed; with `\b` it holds for texts in ASCII.
 */
export function toRe2(node: OnigNode): string | undefined {
  switch (node.type) {
    case 'empty':
      return '(?:)'
    case 'text': {
      const text = Array.from(node.text, (c) => codeRe2(c.codePointAt(0)!)).join('')
      return node.fold ? `(?i:${text})` : `(?:${text})`
    }
    case 'set': {
      const set = setToRe2(node.set)
      return set !== undefined && node.fold ? `(?i:${set})` : set
    }
    case 'any':
      return node.newline ? '(?s:.)' : '[^\\n]'
    case 'anchor':
      return ANCHORS[node.anchor]
    case 'sequence':
      return joined(node.items, '')
    case 'either': {
      const items = joined(node.items, '|')
      return items === undefined ? undefined : `(?:${items})`
    }
    case 'repeat':
      return repeated(node)
    case 'group': {
      const body = toRe2(node.body)
      return body === undefined ? undefined : `(${body})`
    }
    default:
      return undefined
  }
}

/** RE2 has no sets within sets, so those are alternatives; what is in none of several is beyond it. */
function setToRe2({ re2, negated, outside = [] }: CharacterSet): string | undefined {
  if (outside.length === 0) return re2 === '' ? undefined : `[${negated ? '^' : ''}${re2}]`
  if (negated) return re2 === '' && outside.length === 1 ? `[${outside[0]!.re2}]` : undefined
  return `(?:${[...(re2 === '' ? [] : [`[${re2}]`]), ...outside.map((set) => `[^${set.re2}]`)].join('|')})`
}

const ANCHORS: Readonly<Partial<Record<string, string>>> = {
  start: '\\A',
  end: '\\z',
  'semi-end': '\\z',
  'line-start': '(?m:^)',
  'line-end': '(?m:$)',
  'word-edge': '\\b',
  'no-word-edge': '\\B',
}

function joined(items: readonly OnigNode[], separator: string): string | undefined {
  const parts: string[] = []
  for (const item of items) {
    const part = toRe2(item)
    if (part === undefined) return undefined
    parts.push(part)
  }
  return parts.join(separator)
}

// RE2 refuses to repeat anything more often.
const RE2_REPEATS = 1000

function repeated(node: Extract<OnigNode, { type: 'repeat' }>): string | undefined {
  const body = toRe2(node.body)
  const { min, max, mode } = node
  if (body === undefined || mode === 'possessive') return undefined
  const least = Math.max(min, max === Number.POSITIVE_INFINITY ? 0 : max)
  if (least > RE2_REPEATS) return undefined
  const lazy = mode === 'lazy' ? '?' : ''
  const count = `{${min},${max === Number.POSITIVE_INFINITY ? '' : max}}`
  return `(?:${body})${count}${lazy}`
}
