import type { Provider } from '../discovery/provider.js'
import { encryptSecret } from '../keys/secrets.js'
import { Problem } from '../problem.js'
import { hashText, isRandomText } from '../signin/begin-authorization.js'
import { insertAuthorization } from '../store/authorizations.js'
import type { Queries } from '../store/database.js'
import { lockPendingTest } from '../store/sign-in-tests.js'
import { encryptionKey } from './complete.js'
import { type OnboardingParts, signInUri } from './parts.js'
import { verifierPlace } from './secret-place.js'

/** Tabs in which one test may be under way at once. */
const MOST_AUTHORIZATIONS = 5

/**
 * Sends a browser to the identity provider for a test, as often as it comes while the test is pending: each time with a fresh
 * state, nonce and verifier, bound to this browser. Gives the address to go to.
 */
export async function beginTest(parts: OnboardingParts, link: string, browser: string): Promise<string> {
  if (!isRandomText(link)) throw testIsOver()
  return parts.database.transaction((queries) => beginNow(queries, parts, hashText(link), hashText(browser)))
}

/** The key is held before the test's row is locked, as in step 4: two who lock in different orders could wait for each other. */
async function beginNow(
  queries: Queries,
  parts: OnboardingParts,
  linkHash: string,
  browserHash: string,
): Promise<string> {
  const key = await encryptionKey(queries, parts.keys)
  const test = await lockPendingTest<Provider>(queries, linkHash)
  const now = parts.clock()
  if (!test || now >= test.expiresAt) throw testIsOver()
  const client = { clientId: test.clientId, redirectUri: signInUri(parts, test.callbackId) }
  const { url, state, nonce, verifier } = parts.signIn.begin(test.provider, client)
  const stateHash = hashText(state)
  const authorization = {
    stateHash,
    transactionId: test.transactionId,
    callbackId: test.callbackId,
    browserHash,
    nonce,
    encryptedVerifier: encryptSecret(key, verifier, verifierPlace(stateHash)),
    verifierKeyId: key.id,
    begunAt: now,
    expiresAt: test.expiresAt,
  }
  await insertAuthorization(queries, authorization, MOST_AUTHORIZATIONS)
  return url
}

function testIsOver(): Problem {
  return new Problem(
    'not_found',
    'This test is over, or a later one has taken its place. Go back to the set-up page and start another.',
  )
}
