import { randomUUID } from 'node:crypto'
import { invalidRequest, nameIn } from '../organizations/fields.js'
import { type FieldError, Problem } from '../problem.js'
import { hashToken, makeToken, SCOPES } from '../releases/token.js'
import {
  type AccessToken,
  countActiveTokens,
  findActiveTokenByName,
  insertAccessToken,
  listActiveTokens,
  lockAccessToken,
  markTokenRevoked,
} from '../store/organizations/access-tokens.js'
import { UUID } from '../store/values.js'
import type { Actor, AdministrationDeps, OrganizationRef, TokenRequest, TokenView } from './administration.js'
import { changeAs } from './change.js'

/** How many tokens an organization may have that are not revoked. */
const MOST_TOKENS = 100
const MOST_DAYS = 366
const DAY_MS = 86_400_000
const LONGEST_NAME = 100

const TIME = /^(\d{4}-\d\d-\d\d)[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/

/** The tokens that are not revoked, the latest first, including those that the operator issued. */
export async function listTokens(
  { database }: AdministrationDeps,
  { organizationId }: OrganizationRef,
): Promise<readonly TokenView[]> {
  return (await listActiveTokens(database, organizationId)).map(tokenView)
}

/** Issues an API token. Only its hash is stored. */
export async function issueToken(
  deps: AdministrationDeps,
  actor: Actor,
  request: TokenRequest,
): Promise<TokenView & { readonly token: string }> {
  const { name, scopes, expiresAt } = checkRequest(request, deps.clock())
  const { organizationId, organization, email } = actor.user
  const token = makeToken()
  return changeAs(deps, actor, async ({ queries, now, record }) => {
    if ((await countActiveTokens(queries, organizationId)) >= MOST_TOKENS) throw tooMany()
    if (await findActiveTokenByName(queries, organizationId, name)) throw nameTaken(name)
    const id = randomUUID()
    const issued = { id, organizationId, name, scopes, expiresAt, issuedAt: now, createdBy: email }
    await insertAccessToken(queries, { ...issued, hash: hashToken(token) })
    await record('token.issued', { token: id, name, scopes, expires: expiresAt.toISOString() })
    return { ...tokenView({ ...issued, organization, lastUsedAt: undefined, revokedAt: undefined }), token }
  })
}

/** Revokes a token immediately. */
export async function revokeToken(deps: AdministrationDeps, actor: Actor, id: string): Promise<void> {
  await changeAs(deps, actor, async ({ queries, now, record }) => {
    const token = UUID.test(id) ? await lockAccessToken(queries, id) : undefined
    if (!token || token.revokedAt || token.organizationId !== actor.user.organizationId) throw noSuchToken()
    await markTokenRevoked(queries, token.id, now)
    await record('token.revoked', { token: token.id, name: token.name })
  })
}

interface CheckedRequest {
  readonly name: string
  readonly scopes: readonly string[]
  readonly expiresAt: Date
}

function checkRequest(request: TokenRequest, now: Date): CheckedRequest {
  const errors: FieldError[] = []
  const name = nameIn(request.name)
  if (name === undefined || [...name].length > LONGEST_NAME) {
    errors.push({ field: 'name', message: `must be 1 to ${LONGEST_NAME} characters on one line` })
  }
  const scopes = SCOPES.filter((known) => request.scopes.includes(known))
  if (scopes.length === 0 || request.scopes.some((scope) => !SCOPES.some((known) => known === scope))) {
    errors.push({ field: 'scopes', message: `must be a list of one or more of ${SCOPES.join(', ')}` })
  }
  const expiresAt = timeIn(request.expires_at)
  if (expiresAt === undefined) {
    errors.push({ field: 'expires_at', message: 'must be a time with a time zone, such as 2030-12-31T00:00:00Z' })
  } else if (expiresAt <= now) {
    errors.push({ field: 'expires_at', message: 'must be in the future' })
  } else if (expiresAt.getTime() - now.getTime() > MOST_DAYS * DAY_MS) {
    errors.push({ field: 'expires_at', message: `must be at most ${MOST_DAYS} days in the future` })
  }
  if (errors.length > 0) throw invalidRequest(errors)
  return { name: name!, scopes, expiresAt: expiresAt! }
}

/** A time in RFC 3339. `Date` alone would read the 30th of February as a day in March. */
function timeIn(text: string): Date | undefined {
  const [, day] = TIME.exec(text.trim()) ?? []
  if (day === undefined) return undefined
  const [time, midnight] = [new Date(text.trim()), new Date(`${day}T00:00:00Z`)]
  if (Number.isNaN(time.getTime()) || Number.isNaN(midnight.getTime())) return undefined
  return midnight.toISOString().startsWith(day) ? time : undefined
}

function tokenView({ id, name, scopes, issuedAt, createdBy, expiresAt, lastUsedAt }: AccessToken): TokenView {
  return {
    id,
    name,
    scopes,
    created_at: issuedAt.toISOString(),
    created_by: createdBy ?? 'operator',
    expires_at: expiresAt?.toISOString() ?? null,
    last_used_at: lastUsedAt?.toISOString() ?? null,
  }
}

function nameTaken(name: string): Problem {
  return invalidRequest([
    {
      field: 'name',
      message: `must be unique: a token named ${JSON.stringify(name)} exists; revoke it or choose another name`,
    },
  ])
}

function noSuchToken(): Problem {
  return new Problem('not_found', 'Your organization has no such token, or it was revoked.')
}

function tooMany(): Problem {
  return new Problem(
    'too_many_tokens',
    `Your organization already has ${MOST_TOKENS} tokens. Revoke unused tokens first.`,
  )
}
