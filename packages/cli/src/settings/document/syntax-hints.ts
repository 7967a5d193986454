import type { SyntaxProblem } from '@omen/engine'

/** A common error in YAML: how to recognise it, and how to fix it. */
interface CommonError {
  readonly code?: SyntaxProblem['code']
  /** The message of the parser. */
  readonly message?: RegExp
  /** Matches the line from the position of the error (`here`) or from its start (`line`). */
  readonly here?: RegExp
  readonly line?: RegExp
  readonly advice: string
}

const COMMON_ERRORS: readonly CommonError[] = [
  { here: /^\*/, advice: 'put a value that starts with * in quotes, such as "*"' },
  { here: /^[@`%]/, advice: 'put a value that starts with @, ` or % in quotes' },
  { message: /escape sequence/, advice: 'a backslash is special in double quotes: use single quotes' },
  { message: /^Tabs/, advice: 'indent with spaces, not tabs' },
  { line: /^ *(?:- )?-?[\w.]+:[^\s/]/, advice: 'put a space after the colon' },
  { line: /^ *(?:- )?[\w.]+:(?:\/\/|https?:)/, advice: 'put a space after the colon' },
  {
    message: /node end|flow (?:map|sequence|collection)/i,
    line: /: +[[{]/,
    advice: 'close the list or map with ] or }, or put a string that starts with [ or { in quotes',
  },
  { message: /Nested mappings|compact mappings/, advice: 'put a string that contains a colon and a space in quotes' },
  { message: /block-seq-ind/, advice: 'start a list on a new line, and put a single - in quotes' },
  {
    message: /scalar header/,
    advice: 'put a string that starts with | or > in quotes; a block of text starts on the next line',
  },
  { message: /closing/, advice: 'a quotation mark is not closed' },
  { message: /same column/, advice: 'start all keys of a map in the same column' },
  { code: 'bad-tag', advice: 'tags such as !!str are not supported: remove the tag' },
]

/** Explains a YAML syntax error. Never repeats a value, because it may be a secret. */
export function describeSyntaxProblem({ code, at, message }: SyntaxProblem, text: string): string {
  const start = text.lastIndexOf('\n', at - 1) + 1
  const end = text.indexOf('\n', at)
  const line = text.slice(start, end === -1 ? undefined : end)
  const known = COMMON_ERRORS.find(
    (error) =>
      (error.code === undefined || error.code === code) &&
      (error.message === undefined || error.message.test(message)) &&
      (error.here === undefined || error.here.test(line.slice(at - start))) &&
      (error.line === undefined || error.line.test(line)),
  )
  if (known) return `not valid YAML: ${known.advice}`
  // The part after a colon is quoted from the file.
  return code === 'yaml' ? `not valid YAML: ${message.replace(/: .*/s, '')}` : message
}
