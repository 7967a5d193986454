import { expect, test } from 'vitest'
import { onBothEngines } from '../../test/engines.js'
import { type LyingProvider, startLyingProvider, tokens } from '../../test/signin/lying-provider.js'
import {
  CLIENT,
  makeWorld,
  outcomeOf,
  outcomesOf,
  REQUEST,
  REQUESTER,
  removeTemporaryFolders,
  times,
  URLS,
  type World,
} from '../../test/world.js'
import { createDiscovery } from '../discovery/discover.js'
import { Problem } from '../problem.js'
import { randomString } from '../signin/begin-authorization.js'
import { createOnboarding, type Onboarding } from './onboarding.js'
import { endExpiredTests } from './start-test.js'

removeTemporaryFolders()

interface Scene extends AsyncDisposable {
  readonly world: World
  readonly idp: LyingProvider
  readonly onboarding: Onboarding
  readonly token: string
  readonly code: string
  readonly id: string
  readonly callbackId: string
  start(): Promise<string>
  /** Opens the link and makes the provider respond with these claims; returns the parameters of the callback. */
  goTo(link: string, browser: string, claims?: Record<string, unknown>): Promise<URLSearchParams>
  comeBack(
    query: URLSearchParams,
    browser: string | undefined,
    callbackId?: string,
  ): ReturnType<Onboarding['finishTest']>
}

onBothEngines((database) => {
  async function makeScene(): Promise<Scene> {
    const world = await makeWorld(database.current())
    const idp = await startLyingProvider()
    const discovery = { ...createDiscovery({ allowInsecure: true }), discover: async () => idp.provider }
    const onboarding = createOnboarding({ ...world, signIn: idp.signIn, discovery, urls: URLS })
    const { code } = await world.operations.issueCode({ org: 'Acme', expires: '2030-01-10' })
    const { token } = await onboarding.exchangeCode(code, REQUESTER)
    const opened = await onboarding.openTransaction(token, REQUEST, REQUESTER)
    const callbackId = opened.sign_in_uri.split('/').at(-1)!
    const id = opened.transaction_id
    return {
      world,
      idp,
      onboarding,
      token,
      code,
      id,
      callbackId,
      start: async () => (await onboarding.startTest(token, id, CLIENT, REQUESTER)).test_url.split('/').at(-1)!,
      goTo: async (link, browser, claims = {}) => {
        const { searchParams } = new URL(await onboarding.beginTest(link, browser))
        const nonce = searchParams.get('nonce')!
        idp.token = async ({ body }) =>
          new URLSearchParams(body).get('code') === 'good'
            ? tokens(
                await idp.sign(
                  idp.claims({ nonce, url: '', state: '', verifier: '' }, { aud: CLIENT.client_id, ...claims }),
                ),
              )
            : { status: 400, body: { error: 'invalid_grant' } }
        return new URLSearchParams({ code: 'good', state: searchParams.get('state')! })
      },
      comeBack: (query, browser, to = callbackId) =>
        onboarding.finishTest({ callbackId: to, query, browser }, REQUESTER),
      [Symbol.asyncDispose]: () => idp[Symbol.asyncDispose](),
    }
  }

  const everything = async () => {
    const tables = ['sign_in_tests', 'authorizations', 'transactions', 'connections', 'audit']
    const rows = await Promise.all(tables.map((table) => database.current().query(`select * from ${table}`)))
    return JSON.stringify(rows)
  }
  const secrets = async () =>
    (await database.current().query('select client_secret from sign_in_tests where client_secret is not null')).length
  const actions = async () =>
    (await database.current().query<{ action: string }>('select action from audit order by id')).map(
      ({ action }) => action,
    )

  test('a sign-in that passes is reported and recorded, and its secret is deleted', async () => {
    await using scene = await makeScene()
    const { onboarding, token, id } = scene
    expect(await onboarding.readTest(token, id)).toEqual({ status: 'none' })
    const started = await onboarding.startTest(token, id, CLIENT, REQUESTER)
    expect(started).toEqual({
      test_url: expect.stringMatching(/^https:\/\/omen\.test\/v1\/auth\/test\/[\w-]{43}$/),
      expires_at: '2030-01-01T12:15:00.000Z',
    })
    expect(await onboarding.readTest(token, id)).toMatchObject({
      status: 'pending',
      detail: expect.stringContaining('Open the test URL'),
    })
    expect(await everything()).not.toContain(CLIENT.client_secret)
    const browser = randomString()
    const link = started.test_url.split('/').at(-1)!
    const query = await scene.goTo(link, browser)
    const kept = await everything()
    for (const secret of [link, browser, query.get('state')!]) expect(kept).not.toContain(secret)
    expect(await onboarding.readTest(token, id)).toMatchObject({
      detail: expect.stringContaining(`https://omen.test/v1/auth/callback/${scene.callbackId}`),
    })
    expect(await secrets()).toBe(1)
    expect(await scene.comeBack(query, browser)).toEqual({ status: 'passed', email: 'alice@acme.com' })
    expect(await onboarding.readTest(token, id)).toEqual({
      status: 'passed',
      email: 'alice@acme.com',
      at: '2030-01-01T12:00:00.000Z',
    })
    expect(await secrets()).toBe(0)
    expect((await actions()).slice(-2)).toEqual(['sign_in_test.started', 'sign_in_test.finished'])
    expect(await outcomeOf(onboarding.beginTest(link, browser))).toBe('not_found')
    expect(await outcomeOf(onboarding.complete(token, id, CLIENT, REQUESTER))).toBe('ok')
  })

  test('a failure says what to change, and another test can follow', async () => {
    await using scene = await makeScene()
    const { onboarding, token, id } = scene
    for (const [claims, message] of [
      [{ email: 'bob@other.com' }, /"bob@other\.com".*acme\.com/],
      [{ email: undefined }, /email/],
      [{ email_verified: false }, /email_verified/],
      [{ iss: 'https://evil.example' }, /evil\.example/],
    ] as const) {
      const browser = randomString()
      const query = await scene.goTo(await scene.start(), browser, claims)
      expect(await scene.comeBack(query, browser)).toMatchObject({
        status: 'failed',
        detail: expect.stringMatching(message),
      })
      expect(await onboarding.readTest(token, id)).toMatchObject({
        status: 'failed',
        detail: expect.stringMatching(message),
        at: expect.any(String),
      })
      expect(await secrets()).toBe(0)
    }
    const browser = randomString()
    const denied = await scene.goTo(await scene.start(), browser)
    denied.delete('code')
    denied.set('error', 'access_denied')
    expect(await scene.comeBack(denied, browser)).toMatchObject({ reason: 'access_denied' })
    expect(await outcomeOf(onboarding.complete(token, id, CLIENT, REQUESTER))).toBe('ok')
  })

  test('a callback with a wrong state, browser or address contacts no provider and uses nothing up', async () => {
    await using scene = await makeScene()
    const [browser, victim] = [randomString(), randomString()]
    const query = await scene.goTo(await scene.start(), browser)
    const requestsBefore = scene.idp.requestCount('/token')
    const wrongState = new URLSearchParams({ code: 'good', state: randomString() })
    const twice = new URLSearchParams([...query, ['state', query.get('state')!]])
    const other = '5b0e6a52-7f0c-4c1d-9a0e-1f2d3c4b5a69'
    const attempts: readonly Parameters<Scene['comeBack']>[] = [
      [wrongState, browser],
      [new URLSearchParams({ code: 'good' }), browser],
      [twice, browser],
      [query, undefined],
      [query, victim],
      [query, `${browser}x`],
      [query, browser, other],
      [query, browser, "'; drop table codes"],
    ]
    for (const attempt of attempts) expect(await outcomeOf(scene.comeBack(...attempt))).toBe('bad_request')
    expect(scene.idp.requestCount('/token')).toBe(requestsBefore)
    expect(await scene.comeBack(query, browser)).toMatchObject({ status: 'passed' })
  })

  test('concurrent requests with the same callback have one outcome', async () => {
    await using scene = await makeScene()
    const browser = randomString()
    const query = await scene.goTo(await scene.start(), browser)
    const requestsBefore = scene.idp.requestCount('/token')
    expect(await outcomesOf(times(20, () => scene.comeBack(query, browser)))).toEqual({ ok: 1, bad_request: 19 })
    expect(scene.idp.requestCount('/token')).toBe(requestsBefore + 1)
    expect((await actions()).filter((action) => action === 'sign_in_test.finished')).toHaveLength(1)
  })

  test('two tabs of one browser can both come back, and the first decides', async () => {
    await using scene = await makeScene()
    const browser = randomString()
    const link = await scene.start()
    const first = await scene.goTo(link, browser)
    const second = await scene.goTo(link, browser)
    expect(await scene.comeBack(second, browser)).toMatchObject({ status: 'passed' })
    expect(await outcomeOf(scene.comeBack(first, browser))).toBe('bad_request')
  })

  test('a code of another sign-in is rejected', async () => {
    await using scene = await makeScene()
    const browser = randomString()
    const query = await scene.goTo(await scene.start(), browser)
    query.set('code', 'stolen')
    expect(await scene.comeBack(query, browser)).toMatchObject({ status: 'failed', reason: 'code_rejected' })
  })

  test('a new test ends the previous one', async () => {
    await using scene = await makeScene()
    const browser = randomString()
    const old = await scene.start()
    const query = await scene.goTo(old, browser)
    const fresh = await scene.start()
    expect(await outcomeOf(scene.onboarding.beginTest(old, browser))).toBe('not_found')
    expect(await outcomeOf(scene.comeBack(query, browser))).toBe('bad_request')
    expect(await scene.comeBack(await scene.goTo(fresh, browser), browser)).toMatchObject({ status: 'passed' })
  })

  test('a test ends after fifteen minutes, and its secret is deleted', async () => {
    await using scene = await makeScene()
    const { world, onboarding, token, id } = scene
    const browser = randomString()
    const link = await scene.start()
    const query = await scene.goTo(link, browser)
    world.setClock('2030-01-01T12:14:59.999Z')
    await endExpiredTests({ database: database.current(), clock: world.clock, urls: URLS })
    expect(await secrets()).toBe(1)
    world.setClock('2030-01-01T12:15:00Z')
    expect(await outcomeOf(onboarding.beginTest(link, browser))).toBe('not_found')
    expect(await outcomeOf(scene.comeBack(query, browser))).toBe('bad_request')
    const report = { status: 'failed', detail: expect.stringContaining('redirect URI'), at: '2030-01-01T12:15:00.000Z' }
    expect(await onboarding.readTest(token, id)).toEqual(report)
    await Promise.all(times(3, () => endExpiredTests({ database: database.current(), clock: world.clock, urls: URLS })))
    expect(await onboarding.readTest(token, id)).toEqual(report)
    expect(await secrets()).toBe(0)
    expect(await database.current().query('select * from authorizations')).toEqual([])
    expect((await actions()).filter((action) => action === 'sign_in_test.finished')).toHaveLength(1)
  })

  test.each<[string, (scene: Scene) => Promise<unknown>]>([
    ['completion', ({ onboarding, token, id }) => onboarding.complete(token, id, CLIENT, REQUESTER)],
    [
      'another step 2',
      ({ onboarding, token }) => onboarding.openTransaction(token, { ...REQUEST, org_name: 'Other' }, REQUESTER),
    ],
    ['revocation of the code', ({ world, code }) => world.operations.revokeCode(code)],
    ['removal of the organization', ({ world }) => world.operations.removeOrganization('Acme')],
  ])('%s ends a pending test and deletes its secret', async (_, end) => {
    await using scene = await makeScene()
    const browser = randomString()
    const link = await scene.start()
    const query = await scene.goTo(link, browser)
    await end(scene)
    const requestsBefore = scene.idp.requestCount('/token')
    expect(await secrets()).toBe(0)
    expect(await outcomeOf(scene.onboarding.beginTest(link, browser))).toBe('not_found')
    expect(await outcomeOf(scene.comeBack(query, browser))).toBe('bad_request')
    expect(scene.idp.requestCount('/token')).toBe(requestsBefore)
  })

  test('a key rotation keeps a pending test, but browsers at the provider must start again', async () => {
    await using scene = await makeScene()
    const browser = randomString()
    const link = await scene.start()
    const query = await scene.goTo(link, browser)
    const { keyId } = await scene.world.operations.rotateKeys()
    expect(await database.current().query('select secret_key_id from sign_in_tests')).toEqual([
      { secret_key_id: keyId },
    ])
    expect(await outcomeOf(scene.comeBack(query, browser))).toBe('bad_request')
    expect(await scene.comeBack(await scene.goTo(link, browser), browser)).toMatchObject({ status: 'passed' })
  })

  test('a test is rejected where the completion is, and changes nothing', async () => {
    await using scene = await makeScene()
    const { onboarding, token, id, world, idp } = scene
    const start = (more: Partial<{ token: string | undefined; id: string; body: typeof CLIENT }> = {}) => {
      const given = { token, id, body: CLIENT, ...more }
      return outcomeOf(onboarding.startTest(given.token, given.id, given.body, REQUESTER))
    }
    expect(await start({ token: undefined })).toBe('missing_token')
    expect(await start({ token: 'x.y.z' })).toBe('invalid_token')
    expect(await start({ id: 'x' })).toBe('unknown_transaction')
    expect(await start({ body: { ...CLIENT, client_id: '\0' } })).toBe('invalid_request')
    idp.token = () => ({ status: 401, body: { error: 'invalid_client' } })
    expect(await start()).toBe('client_rejected')
    idp.token = () => ({ status: 503, body: {} })
    expect(await start()).toBe('idp_unavailable')
    expect(await onboarding.readTest(token, id)).toEqual({ status: 'none' })
    const { code } = await world.operations.issueCode({ org: 'Other', expires: '2030-01-10' })
    const other = await onboarding.exchangeCode(code, REQUESTER)
    expect(await start({ token: other.token })).toBe('unknown_transaction')
    expect(await outcomeOf(onboarding.readTest(other.token, id))).toBe('unknown_transaction')
    world.setClock('2030-01-03T12:00:00Z')
    expect(await start()).toBe('transaction_expired')
    expect(await outcomeOf(onboarding.readTest(token, id))).toBe('transaction_expired')
  })

  test('a test that races with the completion leaves no secret', async () => {
    await using scene = await makeScene()
    const { onboarding, token, id, idp } = scene
    idp.token = () => ({ status: 400, body: { error: 'invalid_grant' } })
    const races = [
      ...times(5, () => onboarding.startTest(token, id, CLIENT, REQUESTER)),
      onboarding.complete(token, id, CLIENT, REQUESTER),
    ]
    const outcomes = await outcomesOf(races)
    expect(outcomes.ok).toBeGreaterThanOrEqual(1)
    expect(Object.keys(outcomes).every((code) => ['ok', 'code_used', 'already_completed'].includes(code))).toBe(true)
    expect(await secrets()).toBe(0)
  })

  test('a secret moved to another test cannot be decrypted', async () => {
    await using scene = await makeScene()
    const browser = randomString()
    await scene.start()
    const [moved] = await database.current().query<{ client_secret: string }>('select client_secret from sign_in_tests')
    const query = await scene.goTo(await scene.start(), browser)
    await database.current().query('update sign_in_tests set client_secret = $1', [moved!.client_secret])
    await expect(scene.comeBack(query, browser)).rejects.not.toBeInstanceOf(Problem)
  })
})
