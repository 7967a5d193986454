import { randomUUID } from 'node:crypto'
import { recordAudit } from '../audit/audit.js'
import { invalidRequest, NAME_RULE, nameIn } from '../organizations/fields.js'
import { type FieldError, Problem } from '../problem.js'
import { hasExpired, hashToken, isToken, makeToken, SCOPES, type Scope, shownEnd } from '../releases/token.js'
import {
  type AccessToken,
  findAccessTokenByHash,
  findActiveTokenByName,
  insertAccessToken,
  listAccessTokens,
  lockAccessToken,
  markTokenRevoked,
} from '../store/organizations/access-tokens.js'
import { ensureOrganization } from '../store/organizations/organizations.js'
import { isDate } from './codes.js'
import { OPERATOR, type OperationsDeps } from './operations.js'
import type { IssuedToken, IssueTokenRequest, TokenRecord } from './release-operations.js'

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const LONGEST_NAME = 100

/** Issues a token for an organization, which is made when there is none of that name. */
export async function issueToken(
  { database, clock }: OperationsDeps,
  request: IssueTokenRequest,
): Promise<IssuedToken> {
  const now = clock()
  const { org, name, scopes, expires } = checkRequest(request, now)
  const token = makeToken()
  const id = randomUUID()
  await database.transaction(async (queries) => {
    const { id: organizationId, made } = await ensureOrganization(queries, org, now)
    if (await findActiveTokenByName(queries, organizationId, name)) {
      throw new Problem(
        'invalid_request',
        `${org} has a token named ${JSON.stringify(name)} already. Revoke it first, or choose another name.`,
      )
    }
    const hash = hashToken(token)
    const expiresAt = expires === undefined ? undefined : dayBegins(expires)
    const issued = { id, organizationId, name, hash, scopes, expiresAt, issuedAt: now, createdBy: undefined }
    await insertAccessToken(queries, issued)
    const who = { at: now, actor: OPERATOR, org }
    if (made) await recordAudit(queries, { ...who, action: 'organization.created' })
    const detail = { token: id, name, scopes, ...(expires !== undefined && { expires }) }
    await recordAudit(queries, { ...who, action: 'token.issued', detail })
  })
  const record = { id, org, name, scopes, ...(expires !== undefined && { expires }) }
  return { ...record, token, state: 'active', issuedAt: now.toISOString() }
}

interface CheckedRequest {
  readonly org: string
  readonly name: string
  readonly scopes: readonly Scope[]
  readonly expires: string | undefined
}

function checkRequest({ org, name, scope = SCOPES[0], expires }: IssueTokenRequest, now: Date): CheckedRequest {
  const errors: FieldError[] = []
  const organization = nameIn(org)
  if (organization === undefined) errors.push({ field: 'org', message: NAME_RULE })
  const called = nameIn(name)
  if (called === undefined || [...called].length > LONGEST_NAME) {
    errors.push({ field: 'name', message: `is 1 to ${LONGEST_NAME} characters on one line` })
  }
  const words = scope.split(/[\s,]+/).filter((word) => word !== '')
  const scopes = SCOPES.filter((known) => words.includes(known))
  if (words.length === 0 || words.some((word) => !SCOPES.some((known) => known === word))) {
    errors.push({ field: 'scope', message: `is one or more of ${SCOPES.join(', ')}, separated by commas` })
  }
  if (expires !== undefined && (!isDate(expires) || hasExpired(dayBegins(expires), now))) {
    errors.push({ field: 'expires', message: 'is not a date after today (UTC), such as 2030-12-31' })
  }
  if (errors.length > 0) throw invalidRequest(errors)
  return { org: organization!, name: called!, scopes, expires }
}

/** As a code does, a token works until its day begins. */
function dayBegins(date: string): Date {
  return new Date(`${date}T00:00:00Z`)
}

export async function listTokens({ database, clock }: OperationsDeps): Promise<readonly TokenRecord[]> {
  return (await listAccessTokens(database)).map((token) => tokenRecordOf(token, clock()))
}

/** Revokes a token, given as itself or by its id. Again does no harm. */
export function revokeToken({ database, clock }: OperationsDeps, given: string): Promise<TokenRecord> {
  const text = given.trim()
  return database.transaction(async (queries) => {
    const found = isToken(text) ? await findAccessTokenByHash(queries, hashToken(text)) : undefined
    const id = found?.id ?? (ID.test(text) ? text.toLowerCase() : undefined)
    const token = id === undefined ? undefined : await lockAccessToken(queries, id)
    if (!token) {
      throw new Problem('not_found', 'There is no such token. Give the token or its id: see omen-server token list.')
    }
    const now = clock()
    if (token.revokedAt) return tokenRecordOf(token, now)
    await markTokenRevoked(queries, token.id, now)
    const detail = { token: token.id, name: token.name }
    await recordAudit(queries, { at: now, actor: OPERATOR, action: 'token.revoked', org: token.organization, detail })
    return tokenRecordOf({ ...token, revokedAt: now }, now)
  })
}

function tokenRecordOf(token: AccessToken, now: Date): TokenRecord {
  const state = token.revokedAt ? 'revoked' : hasExpired(token.expiresAt, now) ? 'expired' : 'active'
  return {
    id: token.id,
    org: token.organization,
    name: token.name,
    scopes: token.scopes,
    ...(token.expiresAt !== undefined && { expires: shownEnd(token.expiresAt) }),
    state,
    issuedAt: token.issuedAt.toISOString(),
  }
}
