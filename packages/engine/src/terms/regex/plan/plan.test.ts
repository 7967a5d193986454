import { describe, expect, it } from 'vitest'
import { parseRegex, planRegex } from '../index.js'

/** A plan in one line per alternative: `=` exact, `~` not; `/i` folded; `..` and `.+.` for gaps of at least 0 and 1. */
function shown(pattern: string): readonly string[] | null {
  const plan = planRegex(parseRegex(pattern))
  return (
    plan?.map(({ needles, gaps, exact }) =>
      needles.reduce(
        (line, { text, fold }, i) => {
          const gap = i === 0 ? '' : gaps[i] === 0 ? ' .. ' : ` .${gaps[i]}. `
          return `${line}${gap}${text}${fold ? '/i' : ''}`
        },
        exact ? '= ' : '~ ',
      ),
    ) ?? null
  )
}

describe('literal sets are exact', () => {
  it.each([
    ['502', ['= 502']],
    ['502|503|504', ['= 502', '= 503', '= 504']],
    ['50[234]', ['= 502', '= 503', '= 504']],
    ['[Ee]rror', ['= Error', '= error']],
    ['(?:foo|bar)baz', ['= foobaz', '= barbaz']],
    ['a\\.b\\Q*\\E', ['= a.b*']],
    ['x{3}', ['= xxx']],
    ['(ab){2}', ['= abab']],
    ['https?://', ['= https://', '= http://']],
    ['a(?:xy|zw)?b', ['= axyb', '= azwb', '= ab']],
    ['[x]', ['= x']],
    ['[xy]', ['= x', '= y']],
    ['日本|é', ['= 日本', '= é']],
    ['\\t', ['= \t']],
  ])('%s', (pattern, plan) => {
    expect(shown(pattern)).toEqual(plan)
  })
})

describe('literals joined by .* and .+ are exact', () => {
  it.each([
    ['a.*b', ['= a .. b']],
    ['a.+b', ['= a .1. b']],
    ['a(.+)b(.*)c', ['= a .1. b .. c']],
    ['a.*.+b', ['= a .1. b']],
    ['a.*\\d*b', ['= a .. b']],
    ['(a|b).*c', ['= a .. c', '= b .. c']],
    ['a[\\s\\S]*b', ['= a .. b']],
    ['a(?:.|\\n)+b', ['= a .1. b']],
    ['a(.*)*b', ['= a .. b']],
    ['a(?:.+)+?b', ['= a .1. b']],
    ['.*a.*', ['= a']],
    ['(?-s).*a.*', ['= a']],
    ['a.*[xy].*b', ['= a .. x .. b', '= a .. y .. b']],
  ])('%s', (pattern, plan) => {
    expect(shown(pattern)).toEqual(plan)
  })
})

describe('optional parts at either end are left out', () => {
  it.each([
    ['errors?', ['= error']],
    ['\\s*foo\\d*', ['= foo']],
    ['s+error+', ['= serror']],
    ['(?:foo)+', ['= foo']],
    ['x{2,5}y', ['= xxy']],
    ['(ab?)*c', ['= c']],
    ['timeout|connection timeout', ['= timeout']],
    ['a|a', ['= a']],
  ])('%s', (pattern, plan) => {
    expect(shown(pattern)).toEqual(plan)
  })
})

describe('other patterns keep their literals as a necessary condition', () => {
  it.each([
    ['id=\\d+ done', ['~ id= .1.  done']],
    ['^foo\\b bar$', ['~ foo bar']],
    ['a.b', ['~ a .1. b']],
    ['a.{2,}b', ['~ a .2. b']],
    ['a(?-s).*b', ['~ a .. b']],
    ['.+foo', ['~ foo']],
    ['foo.+', ['~ foo']],
    ['fo+bar', ['~ fo .. bar']],
    ['a\\pLb', ['~ a .1. b']],
    ['^[^\\t]+\\t127$', ['~ \t127']],
    ['foo(?i)bar', ['~ foo .. bar/i']],
    ['a(?:\\d+)?b{2}', ['~ a .. bb']],
  ])('%s', (pattern, plan) => {
    expect(shown(pattern)).toEqual(plan)
  })
})

describe('letters in either case', () => {
  it.each([
    ['(?i)disk 5', ['= disk 5/i']],
    ['(?i)502', ['= 502']],
    ['(?i)a.*b|c', ['= a/i .. b/i', '= c/i']],
    ['[Ee][Rr][Rr]', ['= err/i']],
    ['[Ee] 5', ['= e 5/i']],
    ['(?i)[k]i[^s]', ['~ ki/i']],
    ['(?i)[k]i', ['= ki/i']],
    ['(?i)café au', ['~ caf/i .1.  au/i']],
    ['(?i)→ok', ['= →ok/i']],
    ['(?i)İx', ['~ x/i']],
    ['É(?i)x', ['~ É .. x/i']],
  ])('%s', (pattern, plan) => {
    expect(shown(pattern)).toEqual(plan)
  })
})

describe('a pattern without certain strings requires nothing', () => {
  it.each(['', '.*', '\\d+', '[a-z]*', 'a?', 'a*', 'a|\\d', '(a|)', '^', '\\b', '\\pL', '[^a]', '(?i)é'])(
    '%s',
    (pattern) => {
      expect(shown(pattern)).toBeNull()
    },
  )

  it('a character that has no form in UTF-8 or represents invalid bytes is not required', () => {
    expect(shown('a\\x{FFFD}b')).toEqual(['~ a .1. b'])
    expect(shown('a\\x{D83D}\\x{DE00}b')).toEqual(['~ a .2. b'])
    expect(shown('a😀\\x{1F600}')).toEqual(['= a😀😀'])
  })
})

describe('the number of alternatives is limited', () => {
  const words = Array.from({ length: 500 }, (_, i) => `word${i}end`)

  it('a part that would multiply the alternatives is left to the full test', () => {
    const many = words.slice(0, 10).join('|')
    expect(shown(`(${many}).*(${many}).*done`)).toHaveLength(10)
    expect(shown('(a|b|c|d){20} done')?.length).toBeLessThanOrEqual(64)
    expect(shown(`(?:${words.join('|')}) of the connection`)).toEqual(['~ word ..  of the connection'])
  })

  it('a long list of words is cut to what they have in common', () => {
    const plan = shown(words.join('|'))
    expect(plan?.length).toBeLessThanOrEqual(64)
    expect(plan?.every((line) => line.startsWith('~ word'))).toBe(true)
  })

  it('a list of too many characters requires nothing', () => {
    expect(shown(Array.from({ length: 100 }, (_, i) => String.fromCodePoint(0x4e00 + i)).join('|'))).toBeNull()
  })

  it('all needles together are at most about as long as the longest pattern', () => {
    const plan = planRegex(parseRegex(`(${words.slice(0, 60).join('|')})${'x'.repeat(60_000)}`))!
    expect(plan).toHaveLength(60)
    expect(plan.every(({ needles, exact }) => needles[0]!.text.length === 64 && !exact)).toBe(true)
  })

  it('the length of a needle is limited', () => {
    const [line = ''] = shown('(?:0123456789){1000}') ?? []
    expect(line.length).toBeLessThan(600)
    expect(line.startsWith('~ 01234567890123456789')).toBe(true)
  })
})
