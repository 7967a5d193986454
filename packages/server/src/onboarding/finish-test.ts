import { recordAudit } from '../audit/audit.js'
import type { Provider } from '../discovery/provider.js'
import { decryptSecret, keyIdOf, type Place } from '../keys/secrets.js'
import { Problem } from '../problem.js'
import { admitEmail } from '../signin/admit-email.js'
import { hashText, isRandomText } from '../signin/begin-authorization.js'
import type { Identity } from '../signin/redeem-callback.js'
import { type Refusal, Refused } from '../signin/refusal.js'
import { isKnownState, takeAuthorization } from '../store/authorizations.js'
import { findPendingTest, type PendingTest, finishTest as saveResult } from '../store/sign-in-tests.js'
import type { Caller, Return, TestOutcome } from './onboarding.js'
import { callerDetail, type OnboardingParts, signInUri } from './parts.js'
import { testSecretPlace, verifierPlace } from './secret-place.js'

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const BACK = 'Go back to the set-up page and start the test again.'

/**
 * A browser comes back from the identity provider. State, address and browser are those that it left with, or nothing happens;
 * the state is used up before the provider is asked, so one sign-in has one outcome however often its callback is called.
 */
export async function finishTest(parts: OnboardingParts, back: Return, caller: Caller): Promise<TestOutcome> {
  const { test, nonce, verifier, state } = await takeTest(parts, back)
  const clientSecret = await open(parts, test.encryptedSecret, testSecretPlace(test.linkHash))
  const { clientId, authMethod, provider } = test
  const redirectUri = signInUri(parts, test.callbackId)
  const found = await parts.signIn.redeem({
    provider,
    client: { clientId, clientSecret, authMethod, redirectUri },
    expected: { state, nonce, verifier },
    query: back.query,
  })
  const outcome = judgeSignIn(found, [test.domain])
  await record(parts, test, outcome, caller)
  return outcome
}

interface TakenTest {
  readonly test: PendingTest<Provider>
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

async function takeTest(parts: OnboardingParts, { callbackId, query, browser }: Return): Promise<TakenTest> {
  const { database, clock } = parts
  const states = query.getAll('state')
  const [state] = states
  if (states.length !== 1 || !isRandomText(state) || !UUID.test(callbackId)) throw nothingWaits()
  const stateHash = hashText(state)
  const now = clock()
  const taken = isRandomText(browser)
    ? await takeAuthorization(database, { stateHash, callbackId, browserHash: hashText(browser) }, now)
    : undefined
  if (!taken) throw (await isKnownState(database, stateHash, now)) ? otherBrowser() : nothingWaits()
  const test = await findPendingTest<Provider>(database, taken.transactionId)
  if (!test || now >= test.expiresAt) throw nothingWaits()
  const verifier = await open(parts, taken.encryptedVerifier, verifierPlace(stateHash))
  return { test, state, nonce: taken.nonce, verifier }
}

/** What came of a sign-in that counts for nothing: who it was, if that is somebody of one of the domains. */
export function judgeSignIn(found: Identity | Refusal, domains: readonly string[]): TestOutcome {
  if ('refused' in found) return failed(found)
  try {
    return { status: 'passed', email: admitEmail(found, domains) }
  } catch (error) {
    if (error instanceof Refused) return failed(error.refusal)
    throw error
  }
}

function failed({ refused, detail }: Refusal): TestOutcome {
  return { status: 'failed', reason: refused, detail }
}

/** The first outcome of a test is the one that stands. */
async function record(
  { database, clock }: OnboardingParts,
  { transactionId, linkHash, clientId, codeId, organization }: PendingTest<Provider>,
  outcome: TestOutcome,
  caller: Caller,
): Promise<void> {
  await database.transaction(async (queries) => {
    const now = clock()
    const email = outcome.status === 'passed' ? outcome.email : undefined
    const detail = outcome.status === 'failed' ? outcome.detail : undefined
    const isFirst = await saveResult(queries, linkHash, { status: outcome.status, email, detail, finishedAt: now })
    if (!isFirst) throw nothingWaits()
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
        ...callerDetail(caller),
      },
    })
  })
}

async function open({ keys }: OnboardingParts, encrypted: string, place: Place): Promise<string> {
  const key = await keys.encryptionKey(keyIdOf(encrypted))
  if (key) return decryptSecret([key], encrypted, place)
  throw new Problem('unavailable', `The service cannot read its secrets at the moment: tell the operator. ${BACK}`, {
    cause: new Error(`the encryption key ${keyIdOf(encrypted)} is not among the keys of this process`),
  })
}

function nothingWaits(): Problem {
  return new Problem('bad_request', `No sign-in waits here: it is over already, or it took too long. ${BACK}`)
}

/** Also what somebody is told who was sent here by somebody else: nothing happens in their name. */
function otherBrowser(): Problem {
  return new Problem(
    'bad_request',
    `This sign-in was not begun in this browser, or its cookie was not kept. Sign in in the browser in which you opened the test, with cookies allowed. ${BACK}`,
  )
}
