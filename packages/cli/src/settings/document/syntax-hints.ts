import type { SyntaxProblem } from '@omen/engine'

/** A mistake that is easily made in YAML: how it shows, and what to do about it. */
interface Slip {
  readonly code?: SyntaxProblem['code']
  /** What the parser says. */
  readonly message?: RegExp
  /** The line, from the place that the parser names or from its start. */
  readonly here?: RegExp
  readonly line?: RegExp
  readonly advice: string
}

const SLIPS: readonly Slip[] = [
  { here: /^\*/, advice: 'a value that starts with * stands in quotes, such as "*"' },
  { here: /^[@`%]/, advice: 'a value that starts with @, ` or % stands in quotes' },
  { message: /escape sequence/, advice: 'in double quotes a backslash is special: use single quotes' },
  { message: /^Tabs/, advice: 'indent with blanks, not with tabs' },
  { line: /^ *(?:- )?-?[\w.]+:[^\s/]/, advice: 'a blank stands behind the colon of a key' },
  { line: /^ *(?:- )?[\w.]+:(?:\/\/|https?:)/, advice: 'a blank stands behind the colon of a key' },
  {
    message: /node end|flow (?:map|sequence|collection)/i,
    line: /: +[[{]/,
    advice: 'a text that starts with [ or { stands in quotes, and a list or map ends with ] or }',
  },
  { message: /Nested mappings|compact mappings/, advice: 'a text with a colon and a blank in it stands in quotes' },
  { message: /block-seq-ind/, advice: 'a list starts on a line of its own; a single - stands in quotes' },
  {
    message: /scalar header/,
    advice: 'a text that starts with | or > stands in quotes; the lines of a block start on the next line',
  },
  { message: /closing/, advice: 'a quotation mark is not closed' },
  { message: /same column/, advice: 'keys of one map start in one column' },
  { code: 'bad-tag', advice: 'a tag such as !!str has no meaning here: leave it out' },
]

/** What to say about a mistake in the YAML of a file. Never repeats a value: it may be a secret. */
export function describeSyntaxProblem({ code, at, message }: SyntaxProblem, text: string): string {
  const start = text.lastIndexOf('\n', at - 1) + 1
  const end = text.indexOf('\n', at)
  const line = text.slice(start, end === -1 ? undefined : end)
  const slip = SLIPS.find(
    (slip) =>
      (slip.code === undefined || slip.code === code) &&
      (slip.message === undefined || slip.message.test(message)) &&
      (slip.here === undefined || slip.here.test(line.slice(at - start))) &&
      (slip.line === undefined || slip.line.test(line)),
  )
  if (slip) return `not valid YAML: ${slip.advice}`
  // What follows a colon is taken from the file.
  return code === 'yaml' ? `not valid YAML: ${message.replace(/: .*/s, '')}` : message
}
