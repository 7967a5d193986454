import type { Queries } from '../database.js'

/** A tool that waits for approval. */
export interface DeviceRequest {
  readonly deviceHash: string
  readonly codeHash: string
  readonly status: 'pending' | 'approved' | 'denied'
  /** The user who approved it. */
  readonly userId: string | undefined
  /** The IP address of the tool. */
  readonly address: string
  readonly agent: string
  /** How long the tool must wait between two polls. */
  readonly pauseSeconds: number
  readonly polledAt: Date | undefined
  readonly createdAt: Date
  readonly expiresAt: Date
}

const COLUMNS = `device_hash, code_hash, status, user_id, address, agent, pause_seconds, asked_at, created_at, expires_at`

export type NewDeviceRequest = Omit<DeviceRequest, 'status' | 'userId' | 'polledAt'>

/** False if another request has the same code by chance. */
export async function insertDeviceRequest(queries: Queries, request: NewDeviceRequest): Promise<boolean> {
  const rows = await queries.query(
    `insert into device_requests (device_hash, code_hash, status, address, agent, pause_seconds, created_at, expires_at)
     values ($1, $2, 'pending', $3, $4, $5, $6, $7) on conflict (code_hash) do nothing returning device_hash`,
    [
      request.deviceHash,
      request.codeHash,
      request.address,
      request.agent,
      request.pauseSeconds,
      request.createdAt,
      request.expiresAt,
    ],
  )
  return rows.length > 0
}

/** The pending request with a user code. */
export async function findPendingDevice(
  queries: Queries,
  codeHash: string,
  now: Date,
): Promise<DeviceRequest | undefined> {
  const [row] = await queries.query<DeviceRow>(
    `select ${COLUMNS} from device_requests where code_hash = $1 and status = 'pending' and expires_at > $2`,
    [codeHash, now],
  )
  return row && requestOf(row)
}

/** Decides about a request once; undefined if it is no longer pending. */
export async function decideDevice(
  queries: Queries,
  codeHash: string,
  decision: { readonly status: 'approved' | 'denied'; readonly userId: string | undefined; readonly now: Date },
): Promise<DeviceRequest | undefined> {
  const [row] = await queries.query<DeviceRow>(
    `update device_requests set status = $2, user_id = $3
     where code_hash = $1 and status = 'pending' and expires_at > $4 returning ${COLUMNS}`,
    [codeHash, decision.status, decision.userId ?? null, decision.now],
  )
  return row && requestOf(row)
}

/** The request of a tool, locked, so that concurrent polls run one after the other. */
export async function lockDevice(queries: Queries, deviceHash: string): Promise<DeviceRequest | undefined> {
  const [row] = await queries.query<DeviceRow>(
    `select ${COLUMNS} from device_requests where device_hash = $1 for update`,
    [deviceHash],
  )
  return row && requestOf(row)
}

export async function recordPoll(
  queries: Queries,
  deviceHash: string,
  { polledAt, pauseSeconds }: { readonly polledAt: Date; readonly pauseSeconds: number },
): Promise<void> {
  await queries.query('update device_requests set asked_at = $2, pause_seconds = $3 where device_hash = $1', [
    deviceHash,
    polledAt,
    pauseSeconds,
  ])
}

export async function deleteDevice(queries: Queries, deviceHash: string): Promise<void> {
  await queries.query('delete from device_requests where device_hash = $1', [deviceHash])
}

/** Expired requests are kept a little longer, so that a tool can learn that its request has expired. */
export async function deleteExpiredDevices(queries: Queries, expiredBefore: Date): Promise<void> {
  await queries.query('delete from device_requests where expires_at <= $1', [expiredBefore])
}

type DeviceRow = {
  device_hash: string
  code_hash: string
  status: 'pending' | 'approved' | 'denied'
  user_id: string | null
  address: string
  agent: string
  pause_seconds: number
  asked_at: Date | null
  created_at: Date
  expires_at: Date
}

const requestOf = (row: DeviceRow): DeviceRequest => ({
  deviceHash: row.device_hash,
  codeHash: row.code_hash,
  status: row.status,
  userId: row.user_id ?? undefined,
  address: row.address,
  agent: row.agent,
  pauseSeconds: row.pause_seconds,
  polledAt: row.asked_at ?? undefined,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
})
