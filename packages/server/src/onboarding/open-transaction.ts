import { randomUUID } from 'node:crypto'
import { recordAudit } from '../audit/audit.js'
import type { Provider } from '../discovery/provider.js'
import { Problem } from '../problem.js'
import { type CodeStanding, lockCode } from '../store/codes.js'
import type { Queries } from '../store/database.js'
import { findDomainOwner } from '../store/domains.js'
import {
  findOpenSituation,
  insertTransaction,
  lockOpenTransaction,
  markSuperseded,
  type NormalizedRequest,
  type OpenTransaction,
} from '../store/transactions.js'
import { digestOf, invalidRequest, normalizeRequest } from './normalize-request.js'
import type { Caller, ConnectionRequest, OpenedTransaction } from './onboarding.js'
import { callerDetail, codeIdOf, type OnboardingParts, signInUri } from './parts.js'
import { admitCode, admitTransaction, domainTaken } from './refuse.js'
import { transactionEnd, transactionStateAt } from './states.js'
import { makeTransactionId } from './transaction-id.js'

/**
 * Step 2. The same request gives the open transaction again; another one opens a new transaction and closes the old. The
 * identity provider is asked between two looks at the database, never inside a database transaction: it may take seconds.
 */
export async function openTransaction(
  parts: OnboardingParts,
  token: string | undefined,
  body: ConnectionRequest,
  caller: Caller,
): Promise<OpenedTransaction> {
  const codeId = await codeIdOf(parts, token)
  const request = normalizeOr(body)
  const situation = await findOpenSituation(parts.database, codeId, 'problem' in request ? '' : request.domain)
  const now = parts.clock()
  admitCode(situation?.code, 'open', now)
  // A token that does not work any more is told first, whatever the body says.
  if ('problem' in request) throw request.problem
  const { code, open, domainOwner } = situation!
  checkDomainOf(code, request.domain, domainOwner)
  if (open && isSameAndOpen(open, digestOf(request), now)) return answer(parts, open)
  const provider = await parts.discovery.discover(request.well_known_url)
  checkStorable(provider)
  const opened = await parts.database.transaction((queries) =>
    openNow(queries, parts, { codeId, request, provider, caller }),
  )
  return answer(parts, opened)
}

function normalizeOr(body: ConnectionRequest): NormalizedRequest | { readonly problem: Problem } {
  try {
    return normalizeRequest(body)
  } catch (error) {
    if (error instanceof Problem) return { problem: error }
    throw error
  }
}

interface Opening {
  readonly codeId: string
  readonly request: NormalizedRequest
  readonly provider: Provider
  readonly caller: Caller
}

type Opened = Pick<OpenTransaction, 'id' | 'callbackId' | 'expiresAt'>

/** Everything is looked at again under the code's lock, at the time of the lock. */
async function openNow(
  queries: Queries,
  { clock }: OnboardingParts,
  { codeId, request, provider, caller }: Opening,
): Promise<Opened> {
  const code = await lockCode(queries, codeId)
  const now = clock()
  admitCode(code, 'open', now)
  checkDomainOf(code!, request.domain, await findDomainOwner(queries, request.domain))
  const open = await lockOpenTransaction<Provider>(queries, codeId)
  const requestDigest = digestOf(request)
  if (open && isSameAndOpen(open, requestDigest, now)) return open
  const who = { at: now, actor: `code ${codeId}`, org: code!.organization }
  if (open) {
    await markSuperseded(queries, open.id)
    await recordAudit(queries, { ...who, action: 'transaction.superseded', detail: { transaction: open.id } })
  }
  const opened = { id: makeTransactionId(), callbackId: randomUUID(), expiresAt: transactionEnd(now) }
  await insertTransaction(queries, {
    ...opened,
    codeId,
    request,
    requestDigest,
    provider,
    createdAt: now,
  })
  const detail = { transaction: opened.id, domain: request.domain, issuer: provider.issuer, ...callerDetail(caller) }
  await recordAudit(queries, { ...who, action: 'transaction.opened', detail })
  return opened
}

/** Asks the table whether the open transaction answers this request, or gives way to a new one. */
function isSameAndOpen(open: OpenTransaction, digest: string, now: Date): boolean {
  const event = open.requestDigest === digest ? 'repeat' : 'replace'
  return admitTransaction(transactionStateAt(open, now), event) === 'open'
}

function checkDomainOf(code: CodeStanding, domain: string, owner: string | undefined): void {
  if (code.domain !== undefined && code.domain !== domain) {
    throw invalidRequest([
      { field: 'domain', message: `is not the one of this code, which is for ${code.domain} only` },
    ])
  }
  if (owner !== undefined && owner !== code.organizationId) throw domainTaken(domain)
}

/** A provider's document is a stranger's text: what a database cannot keep is refused before it is tried. */
function checkStorable(provider: Provider): void {
  if (/\\u(?:0000|d[89a-f])/i.test(JSON.stringify(provider))) {
    throw new Problem('discovery_failed', 'The published configuration contains characters that no URL has.')
  }
}

function answer(parts: OnboardingParts, { id, callbackId, expiresAt }: Opened): OpenedTransaction {
  return { sign_in_uri: signInUri(parts, callbackId), transaction_id: id, expires_at: expiresAt.toISOString() }
}
