import { type Requester, recordAudit, requesterDetail } from '../audit/audit.js'
import type { Provider } from '../discovery/provider.js'
import { encryptSecret } from '../keys/secrets.js'
import { encryptionKey, readSecret, testSecretContext, testVerifierContext } from '../organizations/secrets.js'
import {
  type CallbackRequest,
  MOST_TEST_TABS,
  noSignInWaiting,
  type TestOutcome,
  testIsOver,
  testOutcome,
  wrongBrowser,
} from '../organizations/sign-in-test.js'
import { signInUri } from '../organizations/urls.js'
import { hashString, isRandomString } from '../signin/begin-authorization.js'
import type { Queries } from '../store/database.js'
import { insertAuthorization, isKnownState, takeAuthorization } from '../store/onboarding/authorizations.js'
import {
  findPendingTest,
  lockPendingTest,
  type PendingTest,
  finishTest as saveResult,
} from '../store/onboarding/sign-in-tests.js'
import { UUID } from '../store/values.js'
import type { OnboardingDeps } from './onboarding.js'

const AGAIN = 'Go back to the setup page and start the test again.'

/**
 * Gives the URL at the identity provider for a test. It can be called again while the test is pending: each call makes a new
 * state, nonce and PKCE verifier, bound to this browser.
 */
export async function beginTest(deps: OnboardingDeps, link: string, browser: string): Promise<string> {
  if (!isRandomString(link)) throw testIsOver(AGAIN)
  return deps.database.transaction((queries) => beginNow(queries, deps, hashString(link), hashString(browser)))
}

/** Locks the key before the test's row, as the completion does, so that the two cannot deadlock. */
async function beginNow(
  queries: Queries,
  deps: OnboardingDeps,
  linkHash: string,
  browserHash: string,
): Promise<string> {
  const key = await encryptionKey(queries, deps.keys)
  const test = await lockPendingTest<Provider>(queries, linkHash)
  const now = deps.clock()
  if (!test || now >= test.expiresAt) throw testIsOver(AGAIN)
  const client = { clientId: test.clientId, redirectUri: signInUri(deps, test.callbackId) }
  const { url, state, nonce, verifier } = deps.signIn.begin(test.provider, client)
  const stateHash = hashString(state)
  const authorization = {
    stateHash,
    transactionId: test.transactionId,
    callbackId: test.callbackId,
    browserHash,
    nonce,
    encryptedVerifier: encryptSecret(key, verifier, testVerifierContext(stateHash)),
    verifierKeyId: key.id,
    begunAt: now,
    expiresAt: test.expiresAt,
  }
  await insertAuthorization(queries, authorization, MOST_TEST_TABS)
  return url
}

/**
 * Handles a browser that comes back from the identity provider. State, callback address and browser must be those with which
 * it left. The state is deleted before the provider is contacted, so a test has one outcome even if the callback is repeated.
 */
export async function finishTest(
  deps: OnboardingDeps,
  callback: CallbackRequest,
  requester: Requester,
): Promise<TestOutcome> {
  const { test, nonce, verifier, state } = await takeTest(deps, callback)
  const clientSecret = await readSecret(deps.keys, test.encryptedSecret, testSecretContext(test.linkHash))
  const { clientId, authMethod, provider } = test
  const redirectUri = signInUri(deps, test.callbackId)
  const result = await deps.signIn.redeem({
    provider,
    client: { clientId, clientSecret, authMethod, redirectUri },
    expected: { state, nonce, verifier },
    query: callback.query,
  })
  const outcome = testOutcome(result, [test.domain])
  await saveOutcome(deps, test, outcome, requester)
  return outcome
}

interface TakenTest {
  readonly test: PendingTest<Provider>
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

async function takeTest(deps: OnboardingDeps, { callbackId, query, browser }: CallbackRequest): Promise<TakenTest> {
  const { database, clock, keys } = deps
  const states = query.getAll('state')
  const [state] = states
  if (states.length !== 1 || !isRandomString(state) || !UUID.test(callbackId)) throw noSignInWaiting(AGAIN)
  const stateHash = hashString(state)
  const now = clock()
  const taken = isRandomString(browser)
    ? await takeAuthorization(database, { stateHash, callbackId, browserHash: hashString(browser) }, now)
    : undefined
  if (!taken) throw (await isKnownState(database, stateHash, now)) ? wrongBrowser(AGAIN) : noSignInWaiting(AGAIN)
  const test = await findPendingTest<Provider>(database, taken.transactionId)
  if (!test || now >= test.expiresAt) throw noSignInWaiting(AGAIN)
  const verifier = await readSecret(keys, taken.encryptedVerifier, testVerifierContext(stateHash))
  return { test, state, nonce: taken.nonce, verifier }
}

/** Only the first outcome of a test is saved. */
async function saveOutcome(
  { database, clock }: OnboardingDeps,
  { transactionId, linkHash, clientId, codeId, organization }: PendingTest<Provider>,
  outcome: TestOutcome,
  requester: Requester,
): Promise<void> {
  await database.transaction(async (queries) => {
    const now = clock()
    const email = outcome.status === 'passed' ? outcome.email : undefined
    const detail = outcome.status === 'failed' ? outcome.detail : undefined
    const isFirst = await saveResult(queries, linkHash, { status: outcome.status, email, detail, finishedAt: now })
    if (!isFirst) throw noSignInWaiting(AGAIN)
    await recordAudit(queries, {
      at: now,
      actor: `code ${codeId}`,
      action: 'sign_in_test.finished',
      org: organization,
      detail: {
        transaction: transactionId,
        client_id: clientId,
        status: outcome.status,
        ...(outcome.status === 'passed' ? { email: outcome.email } : { reason: outcome.reason }),
        ...requesterDetail(requester),
      },
    })
  })
}
