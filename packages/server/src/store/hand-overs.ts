import type { Queries } from './database.js'

export interface HandOver {
  readonly ticketHash: string
  readonly sessionId: string
  readonly bindingHash: string
  readonly expiresAt: Date
}

/** Keeps a ticket. False when its session has ended meanwhile. */
export async function insertHandOver(queries: Queries, handOver: HandOver): Promise<boolean> {
  const rows = await queries.query(
    `insert into hand_overs (ticket_hash, session_id, binding_hash, expires_at)
     select $1::text, id, $3::text, $4::timestamptz from sessions where id = $2::uuid for key share
     returning ticket_hash`,
    [handOver.ticketHash, handOver.sessionId, handOver.bindingHash, handOver.expiresAt],
  )
  return rows.length > 0
}

/** The session that a ticket stands for, in the browser that it was made for. It can be taken once. */
export async function takeHandOver(
  queries: Queries,
  { ticketHash, bindingHash }: Pick<HandOver, 'ticketHash' | 'bindingHash'>,
  now: Date,
): Promise<string | undefined> {
  const [row] = await queries.query<{ session_id: string }>(
    'delete from hand_overs where ticket_hash = $1 and binding_hash = $2 and expires_at > $3 returning session_id',
    [ticketHash, bindingHash, now],
  )
  return row?.session_id
}

export async function deleteExpiredHandOvers(queries: Queries, now: Date): Promise<void> {
  await queries.query('delete from hand_overs where expires_at <= $1', [now])
}
