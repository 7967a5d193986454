import { expect, test } from 'vitest'
import { openPglite } from '../engines/pglite.js'
import { migrate } from '../migrate.js'
import { MIGRATIONS } from './migrations.js'

test('data of an older version keeps its meaning', async () => {
  const database = await openPglite()
  const clock = () => new Date('2030-01-01T12:00:00Z')
  try {
    await migrate(database, { clock, migrations: MIGRATIONS.slice(0, 4) })
    await database.query(`insert into organizations (id, name, created_at) values
      ('00000000-0000-4000-8000-000000000001', 'Acme', '2029-01-01Z')`)
    await database.query(`insert into domains (domain, organization_id, connected_at) values
      ('acme.com', '00000000-0000-4000-8000-000000000001', '2029-01-01Z'),
      ('acme.org', '00000000-0000-4000-8000-000000000001', '2029-02-01Z')`)
    await database.query(`insert into access_tokens (id, organization_id, name, hash, scopes, expires_on, issued_at) values
      (gen_random_uuid(), '00000000-0000-4000-8000-000000000001', 'ci', repeat('a', 64), 'rules:read', '2030-06-01', '2029-01-01Z'),
      (gen_random_uuid(), '00000000-0000-4000-8000-000000000001', 'fleet', repeat('b', 64), 'rules:read', null, '2029-01-01Z')`)
    await migrate(database, { clock })
    expect(await database.query('select domain, is_primary, added_at from domains order by domain')).toEqual([
      { domain: 'acme.com', is_primary: false, added_at: new Date('2029-01-01Z') },
      { domain: 'acme.org', is_primary: true, added_at: new Date('2029-02-01Z') },
    ])
    expect(await database.query('select count(distinct proof)::int as proofs from domains')).toEqual([{ proofs: 2 }])
    expect(await database.query('select name, expires_at, created_by from access_tokens order by name')).toEqual([
      { name: 'ci', expires_at: new Date('2030-06-01T00:00:00Z'), created_by: null },
      { name: 'fleet', expires_at: null, created_by: null },
    ])
  } finally {
    await database.close()
  }
})
