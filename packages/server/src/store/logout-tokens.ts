import type { Queries } from './database.js'

/** Notes that a logout token is obeyed. False when it was before. */
export async function noteLogoutToken(
  queries: Queries,
  {
    organizationId,
    hash,
    expiresAt,
  }: { readonly organizationId: string; readonly hash: string; readonly expiresAt: Date },
): Promise<boolean> {
  const rows = await queries.query(
    `insert into logout_tokens (organization_id, hash, expires_at) values ($1, $2, $3)
     on conflict (organization_id, hash) do nothing returning hash`,
    [organizationId, hash, expiresAt],
  )
  return rows.length > 0
}

export async function deleteExpiredLogoutTokens(queries: Queries, now: Date): Promise<void> {
  await queries.query('delete from logout_tokens where expires_at <= $1', [now])
}
