import { quote } from '@omen/engine/messages'
import { Failure } from '../../failure.js'
import { Problem } from '../../problem.js'
import { readableMoment, readSince } from '../moments.js'
import type { AuditFilter, AuditRecord } from '../operations.js'
import { formatTable, onOneLine } from '../table.js'
import { type CommandContext, print } from './context.js'

export interface AuditOptions {
  readonly org?: string
  readonly action?: string
  readonly since?: string
  readonly lines: string
  readonly follow?: boolean
}

/** How often new records are read: soon enough for a person, seldom enough for the database. */
const POLL_MS = 1000

/** More are fetched page by page. */
const PAGE = 1000

const MOST_LINES = 10_000

/** `omen-server audit`: the latest records, oldest first, and with `--follow` new ones as they arrive. */
export async function showAudit(context: CommandContext, options: AuditOptions): Promise<void> {
  const limit = readLines(options.lines)
  const filter = readFilter(options, context.clock())
  const records = await context.reach.run((operations) => operations.audit({ ...filter, limit }))
  if (!options.follow) {
    print(context, records, () => (records.length > 0 ? renderRecords(records) : 'No records.\n'))
    return
  }
  writeLines(context, records)
  await follow(context, filter, records)
}

function readLines(written: string): number {
  const lines = /^\d{1,6}$/.test(written) ? Number(written) : 0
  if (lines >= 1 && lines <= MOST_LINES) return lines
  throw new Failure('Usage', `--lines: ${quote(written)} is not a whole number from 1 to ${MOST_LINES}`)
}

function readFilter({ org, action, since }: AuditOptions, now: Date): AuditFilter {
  return {
    ...(org === undefined ? {} : { org }),
    ...(action === undefined ? {} : { action }),
    ...(since === undefined ? {} : { since: readSince(since, now) }),
  }
}

/** Continues until the command is interrupted; waits while the database or the server is not available. */
async function follow(context: CommandContext, filter: AuditFilter, records: readonly AuditRecord[]): Promise<never> {
  // When nothing has matched so far, every match is new.
  let after = records.at(-1)?.id ?? '0'
  for (;;) {
    await context.pause(POLL_MS)
    const wanted = { ...filter, after, limit: PAGE }
    const fresh = await context.reach.look((operations) => operations.audit(wanted)).catch(nothingWhileAway)
    writeLines(context, fresh ?? [])
    after = fresh?.at(-1)?.id ?? after
  }
}

function nothingWhileAway(error: unknown): undefined {
  if (error instanceof Problem && error.code === 'unavailable') return undefined
  throw error
}

/** One line for each record: JSON for programs, aligned as well as it can be for people. */
function writeLines({ console, json }: CommandContext, records: readonly AuditRecord[]): void {
  for (const record of records) {
    console.out(json ? `${JSON.stringify(record)}\n` : `${cellsOf(record).map(onOneLine).join('  ')}\n`)
  }
}

function renderRecords(records: readonly AuditRecord[]): string {
  return formatTable(['AT (UTC)', 'ACTOR', 'ACTION', 'ORGANIZATION', 'DETAIL'], records.map(cellsOf))
}

function cellsOf({ at, actor, action, org, detail }: AuditRecord): readonly string[] {
  const details = Object.entries(detail).map(([name, value]) => `${name}=${plainly(value)}`)
  return [readableMoment(at), actor, action, org ?? '-', details.join(' ')]
}

function plainly(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
