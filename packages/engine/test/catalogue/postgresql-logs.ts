/** A record of PostgreSQL's log, with the lines that its plain log writes after the first one. */
interface PostgresRecord {
  readonly time: string
  readonly pid: string
  readonly severity: string
  readonly message: string
  readonly fields: Record<string, string>
}

const LINE = /^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} UTC) \[(\d+)\] ([A-Z]+): {2}(.*)$/
const FIELDS = ['DETAIL', 'HINT', 'QUERY', 'CONTEXT', 'STATEMENT']

/** Whether a line is in the format of PostgreSQL's plain log. */
export function isPostgresLine(line: string): boolean {
  return LINE.test(line)
}

/** Reads the lines of a plain log as records. */
function recordsOf(lines: readonly string[]): PostgresRecord[] {
  const records: PostgresRecord[] = []
  for (const line of lines) {
    const [, time, pid, severity, message] = LINE.exec(line)!
    if (FIELDS.includes(severity!)) records.at(-1)!.fields[severity!] = message!
    else records.push({ time: time!, pid: pid!, severity: severity!, message: message!, fields: {} })
  }
  return records
}

const quoted = (text: string | undefined) => (text === undefined ? '' : `"${text.replaceAll('"', '""')}"`)

function csvLine({ time, pid, severity, message, fields }: PostgresRecord, index: number): string {
  const session = `${pid},"10.0.3.21:51544",69a42f31.${Number(pid).toString(16)},${index + 1},"idle",${time.slice(0, 19)} UTC,3/17,0`
  const { DETAIL, HINT, CONTEXT, STATEMENT } = fields
  const texts = [quoted(message), quoted(DETAIL), quoted(HINT), '', '', quoted(CONTEXT), quoted(STATEMENT), '', '']
  return `${time},"shop","shop",${session},${severity},XX000,${texts.join()},"api","client backend",,0`
}

function jsonLine({ time, pid, severity, message, fields }: PostgresRecord, index: number): string {
  const { DETAIL, HINT, CONTEXT, STATEMENT } = fields
  return JSON.stringify({
    timestamp: time,
    user: 'shop',
    dbname: 'shop',
    pid: Number(pid),
    line_num: index + 1,
    session_start: `${time.slice(0, 19)} UTC`,
    vxid: '3/17',
    txid: 0,
    error_severity: severity,
    state_code: 'XX000',
    message,
    detail: DETAIL,
    hint: HINT,
    context: CONTEXT,
    statement: STATEMENT,
    backend_type: 'client backend',
    query_id: 0,
  })
}

/** What PostgreSQL writes instead of its plain log, by the names of `log_destination`. */
export const POSTGRES_LOGS: Readonly<Record<string, (lines: readonly string[]) => string[]>> = {
  csvlog: (lines) => recordsOf(lines).map(csvLine),
  jsonlog: (lines) => recordsOf(lines).map(jsonLine),
}
