import { recordAudit } from '../audit/audit.js'
import type { ClientAuthMethod, Provider } from '../discovery/provider.js'
import type { EncryptionKey } from '../keys/key-ring.js'
import type { Keys } from '../keys/keys.js'
import { encryptSecret } from '../keys/secrets.js'
import { Problem } from '../problem.js'
import { lockCode, markCodeCompleted } from '../store/codes.js'
import { saveConnection } from '../store/connections.js'
import type { Queries } from '../store/database.js'
import { makeDomainPrimary, takeDomain } from '../store/domains.js'
import { holdCurrentKeyId } from '../store/key-records.js'
import { lockOrganization } from '../store/organizations.js'
import {
  type AskedTransaction,
  findCompletionSituation,
  lockTransaction,
  markTransactionCompleted,
} from '../store/transactions.js'
import { normalizeCredentials } from './normalize-request.js'
import type { Caller, Completion, CompletionRequest } from './onboarding.js'
import { callerDetail, codeIdOf, type OnboardingParts, signInUri } from './parts.js'
import { admitCode, admitTransaction, domainTaken, plainProblem } from './refuse.js'
import { secretPlace } from './secret-place.js'
import { transactionStateAt } from './states.js'
import { isTransactionId } from './transaction-id.js'

/**
 * Step 4. The client is tried at the identity provider first, outside of any database transaction; then one transaction
 * looks at everything again and completes, or changes nothing.
 */
export async function complete(
  parts: OnboardingParts,
  token: string | undefined,
  transactionId: string,
  body: CompletionRequest,
  caller: Caller,
): Promise<Completion> {
  const codeId = await codeIdOf(parts, token)
  const { organizationId, transaction, provider } = await findCompletable(parts, codeId, transactionId)
  const { client_id: clientId, client_secret: clientSecret } = normalizeCredentials(body)
  const redirectUri = signInUri(parts, transaction.callbackId)
  const authMethod = await parts.discovery.checkClient(provider, { clientId, clientSecret, redirectUri })
  const client = { clientId, clientSecret, authMethod }
  const completing = { organizationId, codeId, transactionId, client, caller }
  await parts.database.transaction((queries) => completeNow(queries, parts, completing))
  return { status: 'completed', login_url: `${parts.urls.baseUrl}/v1/auth/login`, app_url: parts.urls.appUrl }
}

export interface Completable {
  readonly organizationId: string
  readonly transaction: AskedTransaction
  readonly provider: Provider
}

/** What can be refused without asking the identity provider. */
export async function findCompletable(
  { database, clock }: OnboardingParts,
  codeId: string,
  transactionId: string,
): Promise<Completable> {
  const id = isTransactionId(transactionId) ? transactionId : ''
  const found = await findCompletionSituation<Provider>(database, codeId, id)
  const now = clock()
  admitCode(found?.code, 'complete', now)
  const { code, transaction, provider, domainOwner } = found!
  if (!transaction) throw plainProblem('unknown_transaction')
  admitTransaction(transactionStateAt(transaction, now), 'complete')
  if (domainOwner !== undefined && domainOwner !== code.organizationId) throw domainTaken(transaction.domain)
  return { organizationId: code.organizationId, transaction, provider: provider! }
}

interface Completing {
  readonly organizationId: string
  readonly codeId: string
  readonly transactionId: string
  readonly client: { readonly clientId: string; readonly clientSecret: string; readonly authMethod: ClientAuthMethod }
  readonly caller: Caller
}

/** Locks in the order organization, code, transaction, domain, as the removal of an organization does. */
async function completeNow(
  queries: Queries,
  { keys, clock }: OnboardingParts,
  { organizationId, codeId, transactionId, client, caller }: Completing,
): Promise<void> {
  // If the organization was removed meanwhile, its codes were revoked: the table answers that below.
  await lockOrganization(queries, organizationId)
  const code = await lockCode(queries, codeId)
  const transaction = await lockTransaction<Provider>(queries, codeId, transactionId)
  const now = clock()
  // The transaction is asked first: the code was good when this request came, so a completion meanwhile was of another request.
  if (transaction?.state === 'completed' && !code?.revokedAt) admitTransaction('completed', 'complete')
  admitCode(code, 'complete', now)
  if (!transaction) throw plainProblem('unknown_transaction')
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
    encryptedSecret: encryptSecret(key, client.clientSecret, secretPlace(organizationId)),
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
      ...callerDetail(caller),
    },
  })
}

/** The key in use, held until the transaction ends, so that a rotation misses nothing. */
export async function encryptionKey(queries: Queries, keys: Keys): Promise<EncryptionKey> {
  const id = await holdCurrentKeyId(queries, 'encryption')
  const key = id === undefined ? undefined : await keys.encryptionKey(id)
  if (key) return key
  throw new Problem(
    'unavailable',
    'The service cannot store secrets at the moment. Nothing was changed: tell the operator.',
    {
      cause: new Error(
        `the encryption key in use (${id}) is not among the keys of this process: give every process the same keys`,
      ),
    },
  )
}
