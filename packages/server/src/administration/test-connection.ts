import { type Requester, recordAudit, requesterDetail } from '../audit/audit.js'
import { after } from '../clock.js'
import type { Provider } from '../discovery/provider.js'
import { encryptSecret } from '../keys/secrets.js'
import { encryptionKey, loginVerifierContext, readSecret, replacementSecretContext } from '../organizations/secrets.js'
import {
  type CallbackRequest,
  MOST_TEST_TABS,
  noSignInWaiting,
  TEST_MINUTES,
  type TestOutcome,
  testIsOver,
  testOutcome,
  wrongBrowser,
} from '../organizations/sign-in-test.js'
import { connectionPage, signInUri } from '../organizations/urls.js'
import { hashString, isRandomString, randomString } from '../signin/begin-authorization.js'
import type { Queries } from '../store/database.js'
import { findRealm } from '../store/organizations/connections.js'
import { holdOrganization } from '../store/organizations/organizations.js'
import {
  findOrganizationOfLink,
  findReplacementById,
  finishReplacementTest,
  lockReplacement,
  type Replacement,
  startReplacementTest,
} from '../store/organizations/replacements.js'
import {
  insertLogin,
  isKnownTest,
  keepLatestTestLogins,
  type TakenTestLogin,
  takeTestLogin,
} from '../store/sessions/logins.js'
import { UUID } from '../store/values.js'
import type { Actor, AdministrationDeps } from './administration.js'
import { changeAs } from './change.js'
import { admitReplacement, replacementStateAt } from './states.js'

const AGAIN = 'Go back to the connection page and start the test again.'

/** Gives the URL at which a browser signs in once through the next connection. An earlier test ends. */
export async function startConnectionTest(deps: AdministrationDeps, actor: Actor): Promise<{ readonly url: string }> {
  const link = randomString()
  await changeAs(deps, actor, async ({ queries, now, record }) => {
    const next = admitReplacement(await lockReplacement<Provider>(queries, actor.user.organizationId), 'test', now)
    const end = Math.min(after(now, TEST_MINUTES * 60_000).getTime(), next.expiresAt.getTime())
    await startReplacementTest(queries, next.id, { linkHash: hashString(link), expiresAt: new Date(end) })
    await record('connection.test_started', { replacement: next.id, issuer: next.issuer, client_id: next.clientId })
  })
  return { url: `${deps.urls.baseUrl}/v1/auth/test/${link}` }
}

/**
 * Gives the URL at the identity provider for a test. It can be called again while the test runs. Undefined if the link does
 * not belong to such a test.
 */
export async function beginTest(deps: AdministrationDeps, link: string, browser: string): Promise<string | undefined> {
  if (!isRandomString(link)) return undefined
  const linkHash = hashString(link)
  const organizationId = await findOrganizationOfLink(deps.database, linkHash)
  if (organizationId === undefined) return undefined
  return deps.database.transaction((queries) =>
    beginNow(queries, deps, { organizationId, linkHash, browserHash: hashString(browser) }),
  )
}

interface Beginning {
  readonly organizationId: string
  readonly linkHash: string
  readonly browserHash: string
}

/** Locks the organization before the key, in the order of docs/data-model.md, so that no two transactions deadlock. */
async function beginNow(
  queries: Queries,
  deps: AdministrationDeps,
  { organizationId, linkHash, browserHash }: Beginning,
): Promise<string> {
  await holdOrganization(queries, organizationId)
  const realm = await findRealm<Provider>(queries, organizationId)
  const key = await encryptionKey(queries, deps.keys)
  const next = await lockReplacement<Provider>(queries, organizationId)
  const now = deps.clock()
  if (!realm || next?.linkHash !== linkHash || replacementStateAt(next, now) !== 'testing') throw testIsOver(AGAIN)
  const { callbackId } = realm
  const client = { clientId: next.clientId, redirectUri: signInUri(deps, callbackId) }
  const { url, state, nonce, verifier } = deps.signIn.begin(next.provider, client)
  const stateHash = hashString(state)
  await insertLogin(queries, {
    stateHash,
    organizationId,
    callbackId,
    issuer: next.issuer,
    clientId: next.clientId,
    replacementId: next.id,
    browserHash,
    nonce,
    encryptedVerifier: encryptSecret(key, verifier, loginVerifierContext(stateHash)),
    target: connectionPage(deps),
    begunAt: now,
    expiresAt: next.testExpiresAt!,
  })
  await keepLatestTestLogins(queries, { replacementId: next.id, stateHash, most: MOST_TEST_TABS })
  return url
}

/**
 * Handles a browser that comes back from the identity provider. State, callback address and browser must be those with which
 * it left. The state is deleted before the provider is contacted, so a test has one outcome even if the callback is repeated.
 * It creates no account and no session. Undefined if the state does not belong to such a test.
 */
export async function finishTest(
  deps: AdministrationDeps,
  callback: CallbackRequest,
  requester: Requester,
): Promise<TestOutcome | undefined> {
  const [state] = callback.query.getAll('state')
  if (!isRandomString(state) || !UUID.test(callback.callbackId)) return undefined
  const login = await takeTest(deps, callback, hashString(state))
  if (login === undefined) return undefined
  const next = await findReplacementById<Provider>(deps.database, login.replacementId)
  const realm = next && (await findRealm<Provider>(deps.database, next.organizationId))
  if (!realm || replacementStateAt(next, deps.clock()) !== 'testing') throw noSignInWaiting(AGAIN)
  const clientSecret = await readSecret(deps.keys, next.encryptedSecret, replacementSecretContext(next.id))
  const { clientId, authMethod, provider } = next
  const found = await deps.signIn.redeem({
    provider,
    client: { clientId, clientSecret, authMethod, redirectUri: signInUri(deps, callback.callbackId) },
    expected: {
      state,
      nonce: login.nonce,
      verifier: await readSecret(deps.keys, login.encryptedVerifier, loginVerifierContext(hashString(state))),
    },
    query: callback.query,
  })
  const outcome = testOutcome(found, realm.domains)
  await save(deps, { next, organization: realm.organization, outcome, requester })
  return outcome
}

async function takeTest(
  { database, clock }: AdministrationDeps,
  { callbackId, query, browser }: CallbackRequest,
  stateHash: string,
): Promise<TakenTestLogin | undefined> {
  const now = clock()
  const isOne = query.getAll('state').length === 1
  const login =
    isOne && isRandomString(browser)
      ? await takeTestLogin(database, { stateHash, callbackId, browserHash: hashString(browser) }, now)
      : undefined
  if (login === undefined && (await isKnownTest(database, { stateHash, callbackId }, now))) throw wrongBrowser(AGAIN)
  return login
}

interface Finished {
  readonly next: Replacement<Provider>
  readonly organization: string
  readonly outcome: TestOutcome
  readonly requester: Requester
}

/** Saves the first outcome of a test, if the tested replacement is still the next connection. */
async function save(
  { database, clock }: AdministrationDeps,
  { next, organization, outcome, requester }: Finished,
): Promise<void> {
  await database.transaction(async (queries) => {
    await holdOrganization(queries, next.organizationId)
    const locked = await lockReplacement<Provider>(queries, next.organizationId)
    const now = clock()
    const event = outcome.status === 'passed' ? 'pass' : 'fail'
    const { id } = admitReplacement(locked?.id === next.id ? locked : undefined, event, now)
    const result =
      outcome.status === 'passed'
        ? { status: outcome.status, testedAs: outcome.email, detail: undefined }
        : { status: outcome.status, testedAs: undefined, detail: outcome.detail }
    if (!(await finishReplacementTest(queries, { id, linkHash: next.linkHash! }, result))) throw noSignInWaiting(AGAIN)
    await recordAudit(queries, {
      at: now,
      actor: 'visitor',
      action: 'connection.tested',
      org: organization,
      detail: {
        replacement: id,
        status: outcome.status,
        ...(outcome.status === 'passed' ? { email: outcome.email } : { reason: outcome.reason }),
        ...requesterDetail(requester),
      },
    })
  })
}
