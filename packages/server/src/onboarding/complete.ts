import { type Requester, recordAudit, requesterDetail } from '../audit/audit.js'
import type { ClientAuthMethod, Provider } from '../discovery/provider.js'
import { encryptSecret } from '../keys/secrets.js'
import { domainTaken } from '../organizations/domain.js'
import { normalizeCredentials } from '../organizations/fields.js'
import { clientSecretContext, encryptionKey } from '../organizations/secrets.js'
import { signInUri } from '../organizations/urls.js'
import type { Queries } from '../store/database.js'
import { lockCode, markCodeCompleted } from '../store/onboarding/codes.js'
import {
  findCompletionSituation,
  lockTransaction,
  markTransactionCompleted,
  type RequestedTransaction,
} from '../store/onboarding/transactions.js'
import { saveConnection } from '../store/organizations/connections.js'
import { makeDomainPrimary, takeDomain } from '../store/organizations/domains.js'
import { lockOrganization } from '../store/organizations/organizations.js'
import { codeIdOf } from './exchange-code.js'
import type { Completion, CompletionRequest, OnboardingDeps } from './onboarding.js'
import { isTransactionId } from './open-transaction.js'
import { admitCode, admitTransaction, fixedProblem, transactionStateAt } from './states.js'

/** A client that the identity provider has accepted. */
export interface AcceptedClient {
  readonly clientId: string
  readonly clientSecret: string
  readonly authMethod: ClientAuthMethod
}

/**
 * Completes a transaction. The client is checked at the identity provider first, outside any database transaction; then one
 * transaction checks everything again and completes, or changes nothing.
 */
export async function complete(
  deps: OnboardingDeps,
  token: string | undefined,
  transactionId: string,
  body: CompletionRequest,
  requester: Requester,
): Promise<Completion> {
  const { codeId, organizationId, client } = await checkClientOf(deps, token, transactionId, body)
  const completing = { organizationId, codeId, transactionId, client, requester }
  await deps.database.transaction((queries) => completeNow(queries, deps, completing))
  return { status: 'completed', login_url: `${deps.urls.baseUrl}/v1/auth/login`, app_url: deps.urls.appUrl }
}

/** Checks that a transaction could be completed with a client, for the completion and for a test of it. */
export async function checkClientOf(
  deps: OnboardingDeps,
  token: string | undefined,
  transactionId: string,
  body: CompletionRequest,
): Promise<{ readonly codeId: string; readonly organizationId: string; readonly client: AcceptedClient }> {
  const codeId = await codeIdOf(deps, token)
  const { organizationId, transaction, provider } = await findCompletable(deps, codeId, transactionId)
  const { client_id: clientId, client_secret: clientSecret } = normalizeCredentials(body)
  const redirectUri = signInUri(deps, transaction.callbackId)
  const authMethod = await deps.discovery.checkClient(provider, { clientId, clientSecret, redirectUri })
  return { codeId, organizationId, client: { clientId, clientSecret, authMethod } }
}

interface Completable {
  readonly organizationId: string
  readonly transaction: RequestedTransaction
  readonly provider: Provider
}

/** Rejects with every problem that can be found without the identity provider. */
async function findCompletable(
  { database, clock }: OnboardingDeps,
  codeId: string,
  transactionId: string,
): Promise<Completable> {
  const id = isTransactionId(transactionId) ? transactionId : ''
  const found = await findCompletionSituation<Provider>(database, codeId, id)
  const now = clock()
  admitCode(found?.code, 'complete', now)
  const { code, transaction, provider, domainOwner } = found!
  if (!transaction) throw fixedProblem('unknown_transaction')
  admitTransaction(transactionStateAt(transaction, now), 'complete')
  if (domainOwner !== undefined && domainOwner !== code.organizationId) throw domainTaken(transaction.domain)
  return { organizationId: code.organizationId, transaction, provider: provider! }
}

interface Completing {
  readonly organizationId: string
  readonly codeId: string
  readonly transactionId: string
  readonly client: AcceptedClient
  readonly requester: Requester
}

/** Locks in the order organization, code, transaction, domain, as the removal of an organization does (docs/data-model.md). */
async function completeNow(
  queries: Queries,
  { keys, clock }: OnboardingDeps,
  { organizationId, codeId, transactionId, client, requester }: Completing,
): Promise<void> {
  // If the organization has been removed, its codes were revoked: `admitCode` reports that.
  await lockOrganization(queries, organizationId)
  const code = await lockCode(queries, codeId)
  const transaction = await lockTransaction<Provider>(queries, codeId, transactionId)
  const now = clock()
  // The code was valid when this request arrived, so if the transaction is completed now, a concurrent request completed it.
  if (transaction?.state === 'completed' && !code?.revokedAt) admitTransaction('completed', 'complete')
  admitCode(code, 'complete', now)
  if (!transaction) throw fixedProblem('unknown_transaction')
  admitTransaction(transactionStateAt(transaction, now), 'complete')
  const { domain, provider } = transaction
  if (!(await takeDomain(queries, domain, organizationId, now))) throw domainTaken(domain)
  await makeDomainPrimary(queries, domain, organizationId)
  const key = await encryptionKey(queries, keys)
  const replaced = await saveConnection(queries, {
    organizationId,
    callbackId: transaction.callbackId,
    displayName: transaction.request.org_name,
    issuer: provider.issuer,
    provider,
    clientId: client.clientId,
    encryptedSecret: encryptSecret(key, client.clientSecret, clientSecretContext(organizationId)),
    secretKeyId: key.id,
    authMethod: client.authMethod,
    connectedAt: now,
  })
  await markTransactionCompleted(queries, transactionId, now)
  await markCodeCompleted(queries, codeId, now)
  await recordAudit(queries, {
    at: now,
    actor: `code ${codeId}`,
    action: replaced ? 'connection.replaced' : 'connection.completed',
    org: code!.organization,
    detail: {
      transaction: transactionId,
      domain,
      issuer: provider.issuer,
      client_id: client.clientId,
      ...requesterDetail(requester),
    },
  })
}
