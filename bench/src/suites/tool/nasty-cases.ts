/** A condition and lines of any length that are meant to make it slow. */
export interface NastyCase {
  readonly name: string
  readonly term: { readonly regex: string } | { readonly jq: string }
  /** A text of about `length` bytes, without a line feed. */
  readonly text: (length: number) => string
}

const repeat = (unit: string) => (length: number) => unit.repeat(Math.ceil(length / unit.length))
const regex = (name: string, pattern: string, text: NastyCase['text']): NastyCase => ({
  name: `${pattern}  ${name}`,
  term: { regex: pattern },
  text,
})
const jq = (filter: string, text: NastyCase['text']): NastyCase => ({
  name: `jq ${filter}`,
  term: { jq: filter },
  text,
})

const items = (length: number) =>
  JSON.stringify({ items: Array.from({ length: length / 10 }, (_, n) => ({ n: n % 10 })) })
const message = (unit: string) => (length: number) => JSON.stringify({ level: 'error', message: repeat(unit)(length) })

/** Each text nearly matches, over and over: it passes every quick check, so that the slow part has to look at all of it. */
export const NASTY_CASES: readonly NastyCase[] = [
  regex('on aaa…b', '(a|aa)+$', (length) => `${'a'.repeat(length)}b`),
  regex('on aaa…', '(a|aa)+$', repeat('a')),
  regex('on z xyxy…', '.*x.*y.*z', (length) => `z ${repeat('x y ')(length)}`),
  regex('on xxx…', '(x+x+)+y', repeat('x')),
  regex('on = x=x=…', '.*.*=.*!', repeat('x=x ')),
  regex('on eRRo errr…', '(?i)error', repeat('eRRo errr ')),
  regex('on words', '[^\\t]+\\t[^\\t]+', repeat('word ')),
  regex('on tabs', '[^\\t]+\\t[^\\t]+', repeat('\t')),
  regex('on 50 505 501…', '502|503|504', repeat('50 505 501 5003 ')),
  regex('on word word…!', '^(\\w+\\s?)*$', (length) => `${repeat('word ')(length)}!`),
  jq('.level == "error" and (.message | contains("timeout"))', message('time out ')),
  jq('.message | test("timeout after [0-9]+ ms")', message('timeout after 12 s ')),
  jq('[.items[].n] | add < 0', items),
  jq('[.. | numbers] | any(. > 9)', items),
]
