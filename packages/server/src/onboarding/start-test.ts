import { recordAudit } from '../audit/audit.js'
import type { ClientAuthMethod, Provider } from '../discovery/provider.js'
import { encryptSecret } from '../keys/secrets.js'
import { hashText, randomText } from '../signin/begin-authorization.js'
import { lockCode } from '../store/codes.js'
import type { Queries } from '../store/database.js'
import { replaceTest } from '../store/sign-in-tests.js'
import { lockTransaction } from '../store/transactions.js'
import { encryptionKey, findCompletable } from './complete.js'
import { normalizeCredentials } from './normalize-request.js'
import type { Caller, CompletionRequest, StartedTest } from './onboarding.js'
import { callerDetail, codeIdOf, type OnboardingParts, signInUri } from './parts.js'
import { admitCode, admitTransaction, plainProblem } from './refuse.js'
import { testSecretPlace } from './secret-place.js'
import { tokenEnd, transactionStateAt } from './states.js'

/** Long enough to find one's second factor, short enough that a forgotten secret is soon gone. */
export const TEST_MINUTES = 15

/**
 * Prepares one sign-in that counts for nothing. It is refused as step 4 would be, and changes nothing of the onboarding; a test
 * before it ends. The secret is kept, encrypted, until the test is over.
 */
export async function startTest(
  parts: OnboardingParts,
  token: string | undefined,
  transactionId: string,
  body: CompletionRequest,
  caller: Caller,
): Promise<StartedTest> {
  const codeId = await codeIdOf(parts, token)
  const { transaction, provider } = await findCompletable(parts, codeId, transactionId)
  const { client_id: clientId, client_secret: clientSecret } = normalizeCredentials(body)
  const redirectUri = signInUri(parts, transaction.callbackId)
  const authMethod = await parts.discovery.checkClient(provider, { clientId, clientSecret, redirectUri })
  const link = randomText()
  const starting = {
    codeId,
    transactionId,
    linkHash: hashText(link),
    client: { clientId, clientSecret, authMethod },
    caller,
  }
  const expiresAt = await parts.database.transaction((queries) => startNow(queries, parts, starting))
  return { test_url: `${parts.urls.baseUrl}/v1/auth/test/${link}`, expires_at: expiresAt.toISOString() }
}

interface Starting {
  readonly codeId: string
  readonly transactionId: string
  readonly linkHash: string
  readonly client: { readonly clientId: string; readonly clientSecret: string; readonly authMethod: ClientAuthMethod }
  readonly caller: Caller
}

/** Everything is looked at again under the locks of code and transaction, taken in the order of step 4. */
async function startNow(
  queries: Queries,
  { keys, clock }: OnboardingParts,
  { codeId, transactionId, linkHash, client, caller }: Starting,
): Promise<Date> {
  const code = await lockCode(queries, codeId)
  const transaction = await lockTransaction<Provider>(queries, codeId, transactionId)
  const now = clock()
  admitCode(code, 'complete', now)
  if (!transaction) throw plainProblem('unknown_transaction')
  admitTransaction(transactionStateAt(transaction, now), 'complete')
  const key = await encryptionKey(queries, keys)
  const expiresAt = earliest([
    new Date(now.getTime() + TEST_MINUTES * 60_000),
    transaction.expiresAt,
    tokenEnd(code!.expiresOn),
  ])
  await replaceTest(queries, {
    transactionId,
    linkHash,
    clientId: client.clientId,
    encryptedSecret: encryptSecret(key, client.clientSecret, testSecretPlace(linkHash)),
    secretKeyId: key.id,
    authMethod: client.authMethod,
    startedAt: now,
    expiresAt,
  })
  await recordAudit(queries, {
    at: now,
    actor: `code ${codeId}`,
    action: 'sign_in_test.started',
    org: code!.organization,
    detail: { transaction: transactionId, client_id: client.clientId, ...callerDetail(caller) },
  })
  return expiresAt
}

function earliest(moments: readonly Date[]): Date {
  return new Date(Math.min(...moments.map((moment) => moment.getTime())))
}
