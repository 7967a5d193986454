import { beforeEach, expect, test } from 'vitest'
import { onBothEngines } from '../../test/engines.js'
import {
  CLIENT,
  makeWorld,
  outcomeOf,
  outcomesOf,
  REQUEST,
  REQUESTER,
  removeTemporaryFolders,
  times,
  type World,
} from '../../test/world.js'
import { decryptSecret } from '../keys/secrets.js'
import { clientSecretContext } from '../organizations/secrets.js'

removeTemporaryFolders()

/** Lets callers continue when a number of them have arrived: they then run concurrently. */
function barrier(callers: number): () => Promise<void> {
  let come = 0
  let open = () => {}
  const gate = new Promise<void>((resolve) => {
    open = resolve
  })
  return () => {
    come++
    if (come === callers) open()
    return gate
  }
}

onBothEngines((database) => {
  let world: World
  beforeEach(async () => {
    world = await makeWorld(database.current())
  })

  const begin = async (org = 'Acme') => {
    const { code, id } = await world.operations.issueCode({ org, expires: '2030-01-10' })
    return { code, id, token: (await world.onboarding.exchangeCode(code, REQUESTER)).token }
  }
  const open = (token: string, more: Partial<typeof REQUEST> = {}) =>
    world.onboarding.openTransaction(token, { ...REQUEST, ...more }, REQUESTER)
  const complete = (token: string, transaction: string, client = CLIENT) =>
    world.onboarding.complete(token, transaction, client, REQUESTER)
  const count = async (sql: string) =>
    (await database.current().query<{ n: number }>(`select count(*)::int as n from ${sql}`))[0]!.n
  const expectNothingConnected = async () => {
    expect(await count('connections')).toBe(0)
    expect(await count('domains')).toBe(0)
    expect(await count(`audit where action like 'connection.%'`)).toBe(0)
  }

  test('twenty concurrent exchanges of a code give twenty tokens and one record', async () => {
    const { code } = await world.operations.issueCode({ org: 'Acme', expires: '2030-01-10' })
    const tokens = await Promise.all(times(20, () => world.onboarding.exchangeCode(code, REQUESTER)))
    expect(new Set(tokens.map(({ token }) => token)).size).toBe(20)
    expect(await count(`audit where action = 'code.exchanged'`)).toBe(1)
  })

  test('twenty concurrent equal requests share one transaction', async () => {
    const { token } = await begin()
    world.discovery.meanwhile = barrier(20)
    const responses = await Promise.all(times(20, () => open(token)))
    expect(new Set(responses.map((response) => JSON.stringify(response))).size).toBe(1)
    expect(await count('transactions')).toBe(1)
    expect(await count(`audit where action = 'transaction.opened'`)).toBe(1)
  })

  test('of twenty concurrent different requests one transaction stays open, and only that one completes', async () => {
    const { token } = await begin()
    world.discovery.meanwhile = barrier(20)
    const opened = await Promise.all(times(20, (index) => open(token, { org_name: `Acme ${index}` })))
    world.discovery.meanwhile = undefined
    expect(await count(`transactions where state = 'open'`)).toBe(1)
    expect(await count(`audit where action = 'transaction.superseded'`)).toBe(19)
    const outcomes: string[] = []
    for (const { transaction_id } of opened) outcomes.push(await outcomeOf(complete(token, transaction_id)))
    expect(outcomes.filter((outcome) => outcome === 'ok')).toHaveLength(1)
    expect(new Set(outcomes)).toEqual(
      new Set(['ok', 'transaction_expired', 'code_used'].filter((o) => outcomes.includes(o))),
    )
  })

  test('of twenty concurrent completions one completes', async () => {
    const { token } = await begin()
    const { transaction_id } = await open(token)
    world.discovery.meanwhile = barrier(20)
    const completions = times(20, () => complete(token, transaction_id))
    expect(await outcomesOf(completions)).toEqual({ ok: 1, already_completed: 19 })
    expect(await count('connections')).toBe(1)
    expect(await count(`audit where action like 'connection.%'`)).toBe(1)
  })

  test('a completion during which the transaction expires changes nothing', async () => {
    const { token } = await begin()
    const { transaction_id } = await open(token)
    world.discovery.meanwhile = async () => world.setClock('2030-01-03T12:00:00Z')
    expect(await outcomeOf(complete(token, transaction_id))).toBe('transaction_expired')
    await expectNothingConnected()
  })

  test('a completion during which the token expires changes nothing', async () => {
    const { token } = await begin()
    world.setClock('2030-01-10T23:59:59.999Z')
    const { transaction_id } = await open(token)
    world.discovery.meanwhile = async () => world.setClock('2030-01-11T00:00:00Z')
    expect(await outcomeOf(complete(token, transaction_id))).toBe('token_expired')
    await expectNothingConnected()
  })

  test('a completion during which another request supersedes its transaction changes nothing', async () => {
    const { token } = await begin()
    const { transaction_id } = await open(token)
    world.discovery.meanwhile = async () => {
      world.discovery.meanwhile = undefined
      await open(token, { org_name: 'Another' })
    }
    expect(await outcomeOf(complete(token, transaction_id))).toBe('transaction_expired')
    await expectNothingConnected()
  })

  test('a completion during which its code is revoked changes nothing', async () => {
    const { code, token } = await begin()
    const { transaction_id } = await open(token)
    world.discovery.meanwhile = async () => {
      await world.operations.revokeCode(code)
    }
    expect(await outcomeOf(complete(token, transaction_id))).toBe('invalid_token')
    await expectNothingConnected()
  })

  test('a transaction is not opened if its code is revoked in the meantime', async () => {
    const { code, token } = await begin()
    world.discovery.meanwhile = async () => {
      await world.operations.revokeCode(code)
    }
    expect(await outcomeOf(open(token))).toBe('invalid_token')
    expect(await count('transactions')).toBe(0)
  })

  test('of a concurrent completion and revocation one happens', async () => {
    for (const round of times(5, (index) => index)) {
      const { id, token } = await begin(`Acme ${round}`)
      const { transaction_id } = await open(token, { domain: `acme${round}.com` })
      const outcomes = await Promise.all([
        outcomeOf(complete(token, transaction_id)),
        outcomeOf(world.operations.revokeCode(id)),
      ])
      expect(['ok,code_used', 'invalid_token,ok']).toContain(outcomes.join())
      const { connected, codes } = await world.operations.showOrganization(`Acme ${round}`)
      expect({ connected, state: codes[0]!.state }).toEqual(
        outcomes[0] === 'ok' ? { connected: true, state: 'completed' } : { connected: false, state: 'revoked' },
      )
    }
  })

  test('a completion concurrent with the removal of its organization leaves nothing connected', async () => {
    for (const round of times(5, (index) => index)) {
      const { token } = await begin(`Acme ${round}`)
      const { transaction_id } = await open(token)
      const [completion, removal] = await Promise.all([
        outcomeOf(complete(token, transaction_id)),
        outcomeOf(world.operations.removeOrganization(`Acme ${round}`)),
      ])
      expect(['ok', 'invalid_token']).toContain(completion)
      expect(removal).toBe('ok')
      expect(await count('connections')).toBe(0)
      expect(await count('domains')).toBe(0)
    }
  })

  test('of ten organizations that race for a domain one gets it', async () => {
    const racers = await Promise.all(times(10, (index) => begin(`Racer ${index}`)))
    const opened = await Promise.all(racers.map(({ token }) => open(token)))
    world.discovery.meanwhile = barrier(10)
    const completions = racers.map(({ token }, index) => complete(token, opened[index]!.transaction_id))
    expect(await outcomesOf(completions)).toEqual({ ok: 1, domain_taken: 9 })
    expect(await count('connections')).toBe(1)
    expect(await count('domains')).toBe(1)
    expect(await count(`transactions where state = 'open'`)).toBe(9)
  })

  test('two codes of one organization that complete concurrently both succeed, and the later connection stays', async () => {
    const [one, two] = await Promise.all([begin(), begin()])
    const ofOne = await open(one.token)
    const ofTwo = await open(two.token, { domain: 'acme.org' })
    world.discovery.meanwhile = barrier(2)
    const completions = [complete(one.token, ofOne.transaction_id), complete(two.token, ofTwo.transaction_id)]
    expect(await outcomesOf(completions)).toEqual({ ok: 2 })
    expect(await world.operations.showOrganization('Acme')).toMatchObject({ domains: ['acme.com', 'acme.org'] })
    expect(await count('connections')).toBe(1)
  })

  test('the first codes of an organization, issued concurrently, belong to one organization', async () => {
    await Promise.all(times(10, () => world.operations.issueCode({ org: 'Acme', expires: '2030-01-10' })))
    expect(await count('organizations')).toBe(1)
    expect(await count(`audit where action = 'organization.created'`)).toBe(1)
  })

  test('after keys rotate while organizations connect, every secret is encrypted with the newest key', async () => {
    const racers = await Promise.all(times(10, (index) => begin(`Racer ${index}`)))
    const opened = await Promise.all(racers.map(({ token }, index) => open(token, { domain: `racer${index}.com` })))
    const completions = racers.map(({ token }, index) =>
      complete(token, opened[index]!.transaction_id, { ...CLIENT, client_secret: `secret ${index}` }),
    )
    const rotations = [world.operations.rotateKeys(), world.operations.rotateKeys()]
    await Promise.all([...completions, ...rotations])
    await world.operations.rotateKeys()
    const rows = await database
      .current()
      .query<{ organization_id: string; client_secret: string }>(
        'select organization_id, client_secret from connections',
      )
    const [newest] = world.keys.ring().encryption
    const secrets = rows.map((row) =>
      decryptSecret([newest!], row.client_secret, clientSecretContext(row.organization_id)),
    )
    expect(secrets.sort()).toEqual(times(10, (index) => `secret ${index}`))
  })

  test('a reader that pages through the audit log misses no record that is written meanwhile', async () => {
    const seen: string[] = []
    const read = async () => {
      const records = await world.operations.audit({ after: seen.at(-1) ?? '0' })
      seen.push(...records.map(({ id }) => id))
      return records.length
    }
    let writing = true
    const reading = (async () => {
      while (writing) await read()
    })()
    await Promise.all(times(60, (index) => world.operations.issueCode({ org: `Org ${index}`, expires: '2030-01-10' })))
    writing = false
    await reading
    // A page has at most a hundred records: a slow reader reads the next one.
    while ((await read()) > 0);
    expect(seen).toHaveLength(120)
    expect(new Set(seen).size).toBe(120)
  })
})
