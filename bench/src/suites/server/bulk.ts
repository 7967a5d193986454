import { runSql } from './postgres.js'

export const ORGANIZATIONS = 10_000
export const AUDIT_RECORDS = 1_000_000

/** Every organization has used a code, and has a connection, a domain and audit records. */
const FILL = `
  create temporary table old as
    select n, gen_random_uuid() as org, gen_random_uuid() as code, gen_random_uuid() as callback,
      'old-' || n || '.example.org' as domain, now() - n * interval '1 minute' as at
    from generate_series(1, ${ORGANIZATIONS}) n;
  insert into organizations (id, name, created_at) select org, 'Old organization ' || n, at from old;
  insert into codes (id, organization_id, hash, expires_on, issued_at, first_exchanged_at, last_exchanged_at,
      last_exchanged_from, completed_at)
    select code, org, encode(sha256(code::text::bytea), 'hex'), current_date + 30, at, at, at, '192.0.2.1', at from old;
  insert into transactions (id, code_id, callback_id, domain, request, request_digest, provider, state, created_at,
      expires_at, completed_at)
    select translate(lpad(n::text, 22, 'A'), '0', 'z'), code, callback, domain,
      jsonb_build_object('domain', domain), encode(sha256(domain::bytea), 'hex'),
      jsonb_build_object('issuer', 'https://idp.' || domain, 'tokenEndpoint', 'https://idp.' || domain || '/token'),
      'completed', at, at + interval '48 hours', at from old;
  insert into connections (organization_id, callback_id, display_name, issuer, provider, client_id, client_secret,
      secret_key_id, auth_method, connected_at)
    select org, callback, 'Old organization ' || n, 'https://idp.' || domain, '{}', 'client', 'secret', 'none',
      'client_secret_basic', at from old;
  insert into domains (domain, organization_id, connected_at, added_at, is_primary) select domain, org, at, at, true from old;
  insert into audit (at, actor, action, organization, detail)
    select now() - n * interval '1 second', 'code ' || code, 'code.exchanged', 'Old organization ' || old.n,
      jsonb_build_object('address', '192.0.2.' || n % 250, 'request_id', n::text)
    from generate_series(1, ${AUDIT_RECORDS}) n join old using (n)
    union all
    select now() - m * interval '1 second', 'operator', 'code.issued', 'Old organization ' || 1 + m % ${ORGANIZATIONS},
      jsonb_build_object('code', m::text)
    from generate_series(1, ${AUDIT_RECORDS - ORGANIZATIONS}) m`

/**
 * Fills a migrated database with organizations and audit records.
 *
 * @example
 * await fillDatabase(url)
 */
export async function fillDatabase(url: string): Promise<void> {
  await runSql(url, FILL)
  await runSql(url, 'vacuum analyze')
}
