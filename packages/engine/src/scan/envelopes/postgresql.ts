import type { Needle } from '../../terms/condition.js'

/** The severities that PostgreSQL writes. */
const SEVERITIES = ['DEBUG', 'LOG', 'INFO', 'NOTICE', 'WARNING', 'ERROR', 'FATAL', 'PANIC'] as const

const FIELD = '(?:"[^"]*(?:""[^"]*)*"|[^,"\n]*)'

/** The time, ten more columns, then the severity, the SQLSTATE and the message. Later versions only add columns at the end. */
const CSV = new RegExp(
  String.raw`^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)? [^\s,"]{1,32},(?:${FIELD},){10}` +
    `(${SEVERITIES.join('|')}),[0-9A-Z]{5},"([^"]*(?:""[^"]*)*)"(?:,|$)`,
)

/**
 * The message of a line of PostgreSQL's `csvlog` as its plain log writes it.
 *
 * @example
 * messageOfCsvlog('2026-03-01 12:00:01.123 UTC,…,FATAL,53300,"sorry, too many clients already",…')
 * // 'FATAL:  sorry, too many clients already'
 */
export function messageOfCsvlog(text: string): string | undefined {
  if (text[4] !== '-' || text[10] !== ' ') return undefined
  const columns = CSV.exec(text)
  if (columns === null) return undefined
  const [, severity, message] = columns
  return plainMessage(severity!, message!.replaceAll('""', '"'))
}

const IS_SEVERITY = new RegExp(`^(?:${SEVERITIES.join('|')})$`)

/** The message of an object of PostgreSQL's `jsonlog`, which has the severity first; undefined if it is another object. */
export function messageOfJsonlog(object: Readonly<Record<string, unknown>>): string | undefined {
  const { error_severity: severity, message } = object
  if (typeof severity !== 'string' || typeof message !== 'string' || !IS_SEVERITY.test(severity)) return undefined
  const keys = Object.keys(object)
  return keys.indexOf('error_severity') < keys.indexOf('message') ? plainMessage(severity, message) : undefined
}

function plainMessage(severity: string, message: string): string {
  return `${severity}:  ${message}`
}

/** What precedes the message field in such a message, as far as it is in a part of it. */
const HEAD = /^([A-Z]*)(:?)( {0,2})/
const HEAD_FOLDED = new RegExp(HEAD, 'i')

/**
 * Divides parts of such a message, one after the other, into what is in the severity and what is in the message field; the
 * colon and the spaces are in neither.
 *
 * @example
 * divideAtSeverity([{ text: 'ERROR:  deadlock', fold: false }, { text: ' detected', fold: false }])
 * // [['ERROR', 'deadlock'], [' detected']]
 */
export function divideAtSeverity(parts: readonly Needle[]): string[][] {
  let isInSeverity = true
  let isInHead = true
  return parts.map(({ text, fold }) => {
    if (!isInHead) return [text]
    const [head, letters, colon] = (fold ? HEAD_FOLDED : HEAD).exec(text)!
    const written = letters!.toUpperCase()
    const isPart =
      letters === ''
        ? head !== '' && (colon === '' || isInSeverity)
        : isInSeverity &&
          SEVERITIES.some((one) => (colon === '' ? head === letters && one.includes(written) : one.endsWith(written)))
    isInHead = isPart && head === text
    if (!isPart || head === letters) return [text]
    isInSeverity = false
    return [letters!, text.slice(head!.length)]
  })
}
