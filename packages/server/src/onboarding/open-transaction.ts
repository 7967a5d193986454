import { hash, randomUUID } from 'node:crypto'
import { type Requester, recordAudit, requesterDetail } from '../audit/audit.js'
import type { Provider } from '../discovery/provider.js'
import { checkDomain, domainTaken, publicDomain } from '../organizations/domain.js'
import { invalidRequest, NAME_RULE, nameIn, URL_RULE, wellKnownUrlIn } from '../organizations/fields.js'
import { signInUri } from '../organizations/urls.js'
import { type FieldError, Problem } from '../problem.js'
import type { Queries } from '../store/database.js'
import { type CodeStatus, lockCode } from '../store/onboarding/codes.js'
import {
  findOpenSituation,
  insertTransaction,
  lockOpenTransaction,
  markSuperseded,
  type NormalizedRequest,
  type OpenTransaction,
} from '../store/onboarding/transactions.js'
import { findDomainOwner } from '../store/organizations/domains.js'
import { codeIdOf } from './exchange-code.js'
import type { ConnectionRequest, OnboardingDeps, OpenedTransaction } from './onboarding.js'
import { admitCode, admitTransaction, transactionEnd, transactionStateAt } from './states.js'

/**
 * Opens a transaction. The same request gives the open transaction again; a different request opens a new transaction and
 * supersedes the old one. The identity provider is contacted outside any database transaction, because it may take seconds.
 */
export async function openTransaction(
  deps: OnboardingDeps,
  token: string | undefined,
  body: ConnectionRequest,
  requester: Requester,
): Promise<OpenedTransaction> {
  const codeId = await codeIdOf(deps, token)
  const request = normalizeOrProblem(body)
  const situation = await findOpenSituation(deps.database, codeId, request instanceof Problem ? '' : request.domain)
  const now = deps.clock()
  // A token that no longer works is reported before an invalid body.
  admitCode(situation?.code, 'open', now)
  if (request instanceof Problem) throw request
  const { code, open, domainOwner } = situation!
  checkDomainOf(code, request.domain, domainOwner)
  if (open && isSameAndOpen(open, digestOf(request), now)) return responseOf(deps, open)
  const provider = await deps.discovery.discover(request.well_known_url)
  checkStorable(provider)
  const opened = await deps.database.transaction((queries) =>
    openNow(queries, deps, { codeId, request, provider, requester }),
  )
  return responseOf(deps, opened)
}

function normalizeOrProblem(body: ConnectionRequest): NormalizedRequest | Problem {
  try {
    return normalizeRequest(body)
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
}

/** Checks the fields of the request and normalizes them. Throws a `Problem` that lists every invalid field. */
function normalizeRequest(request: ConnectionRequest): NormalizedRequest {
  const errors: FieldError[] = []
  const domain = checkDomain(request.domain)
  const org_name = nameIn(request.org_name)
  const well_known_url = wellKnownUrlIn(request.well_known_url)
  if (well_known_url === undefined) errors.push({ field: 'well_known_url', message: URL_RULE })
  if ('problem' in domain && domain.problem === 'invalid_request') {
    errors.push({ field: 'domain', message: domain.message })
  }
  if (org_name === undefined) errors.push({ field: 'org_name', message: NAME_RULE })
  if (errors.length > 0) throw invalidRequest(errors)
  if ('problem' in domain) throw publicDomain(domain.message)
  return { well_known_url: well_known_url!, domain: domain.domain, org_name: org_name! }
}

/** Equal for equal requests. */
function digestOf({ well_known_url, domain, org_name }: NormalizedRequest): string {
  return hash('sha256', JSON.stringify([well_known_url, domain, org_name]), 'hex')
}

interface Opening {
  readonly codeId: string
  readonly request: NormalizedRequest
  readonly provider: Provider
  readonly requester: Requester
}

type Opened = Pick<OpenTransaction, 'id' | 'callbackId' | 'expiresAt'>

/** Everything is checked again after the code has been locked. */
async function openNow(
  queries: Queries,
  { clock }: OnboardingDeps,
  { codeId, request, provider, requester }: Opening,
): Promise<Opened> {
  const code = await lockCode(queries, codeId)
  const now = clock()
  admitCode(code, 'open', now)
  checkDomainOf(code!, request.domain, await findDomainOwner(queries, request.domain))
  const open = await lockOpenTransaction<Provider>(queries, codeId)
  const requestDigest = digestOf(request)
  if (open && isSameAndOpen(open, requestDigest, now)) return open
  const record = { at: now, actor: `code ${codeId}`, org: code!.organization }
  if (open) {
    await markSuperseded(queries, open.id)
    await recordAudit(queries, { ...record, action: 'transaction.superseded', detail: { transaction: open.id } })
  }
  const opened = { id: makeTransactionId(), callbackId: randomUUID(), expiresAt: transactionEnd(now) }
  await insertTransaction(queries, { ...opened, codeId, request, requestDigest, provider, createdAt: now })
  const detail = {
    transaction: opened.id,
    domain: request.domain,
    issuer: provider.issuer,
    ...requesterDetail(requester),
  }
  await recordAudit(queries, { ...record, action: 'transaction.opened', detail })
  return opened
}

/** Whether the open transaction stays open for this request, or is superseded by it. */
function isSameAndOpen(open: OpenTransaction, digest: string, now: Date): boolean {
  const event = open.requestDigest === digest ? 'repeat' : 'replace'
  return admitTransaction(transactionStateAt(open, now), event) === 'open'
}

function checkDomainOf(code: CodeStatus, domain: string, owner: string | undefined): void {
  if (code.domain !== undefined && code.domain !== domain) {
    throw invalidRequest([{ field: 'domain', message: `must be ${code.domain}: this code is for that domain only` }])
  }
  if (owner !== undefined && owner !== code.organizationId) throw domainTaken(domain)
}

/** PostgreSQL cannot store NUL and lone surrogates in JSON. */
function checkStorable(provider: Provider): void {
  if (/\\u(?:0000|d[89a-f])/i.test(JSON.stringify(provider))) {
    throw new Problem('discovery_failed', 'The published configuration contains characters that a URL cannot contain.')
  }
}

function responseOf(deps: OnboardingDeps, { id, callbackId, expiresAt }: Opened): OpenedTransaction {
  return { sign_in_uri: signInUri(deps, callbackId), transaction_id: id, expires_at: expiresAt.toISOString() }
}

/** Base58 as in Bitcoin: without 0, O, I and l. */
const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
/** 58^22 is the smallest power of 58 above 2^128; shorter numbers are padded, so every id has this length. */
const LENGTH = 22
const SHAPE = /^[1-9A-HJ-NP-Za-km-z]{22}$/

/**
 * Makes the id of a transaction: a random UUID in base58.
 *
 * @example
 * makeTransactionId() // 'FAhjF5aM3bAs3sx9Ce6Sqp'
 */
export function makeTransactionId(uuid: string = randomUUID()): string {
  let rest = BigInt(`0x${uuid.replaceAll('-', '')}`)
  let id = ''
  for (; rest > 0n; rest /= 58n) id = ALPHABET[Number(rest % 58n)] + id
  return id.padStart(LENGTH, ALPHABET[0])
}

/** Whether a string has the form of a transaction id. Others are not looked up. */
export function isTransactionId(value: string): boolean {
  return SHAPE.test(value)
}
