import { randomUUID } from 'node:crypto'
import { invalidRequest, nameIn } from '../onboarding/normalize-request.js'
import { type FieldError, Problem } from '../problem.js'
import { hashToken, makeToken, SCOPES } from '../releases/token.js'
import { UUID } from '../sessions/parts.js'
import {
  type AccessToken,
  countActiveTokens,
  findActiveTokenByName,
  insertAccessToken,
  listActiveTokens,
  lockAccessToken,
  markTokenRevoked,
} from '../store/access-tokens.js'
import type { By, OfOrganization, TokenRequest, TokenView } from './administration.js'
import { type AdministrationParts, changeAs } from './parts.js'

/** One for each machine that anybody looks after, with room. */
const MOST_TOKENS = 100
const MOST_DAYS = 366
const DAY_MS = 86_400_000
const LONGEST_NAME = 100

const MOMENT = /^(\d{4}-\d\d-\d\d)[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/

/** The tokens that were not revoked, the latest first; the operator's are among them. */
export async function listTokens(
  { database }: AdministrationParts,
  { organizationId }: OfOrganization,
): Promise<readonly TokenView[]> {
  return (await listActiveTokens(database, organizationId)).map(tokenView)
}

/** Makes a token for a machine. It is told once; what is kept is its hash. */
export async function issueToken(
  parts: AdministrationParts,
  by: By,
  request: TokenRequest,
): Promise<TokenView & { readonly token: string }> {
  const { name, scopes, expiresAt } = checkRequest(request, parts.clock())
  const { organizationId, organization, email } = by.person
  const token = makeToken()
  return changeAs(parts, by, async ({ queries, now, record }) => {
    if ((await countActiveTokens(queries, organizationId)) >= MOST_TOKENS) throw tooMany()
    if (await findActiveTokenByName(queries, organizationId, name)) throw nameTaken(name)
    const id = randomUUID()
    const issued = { id, organizationId, name, scopes, expiresAt, issuedAt: now, createdBy: email }
    await insertAccessToken(queries, { ...issued, hash: hashToken(token) })
    await record('token.issued', { token: id, name, scopes, expires: expiresAt.toISOString() })
    return { ...tokenView({ ...issued, organization, lastUsedAt: undefined, revokedAt: undefined }), token }
  })
}

/** Ends a token at once. */
export async function revokeToken(parts: AdministrationParts, by: By, id: string): Promise<void> {
  await changeAs(parts, by, async ({ queries, now, record }) => {
    const token = UUID.test(id) ? await lockAccessToken(queries, id) : undefined
    if (!token || token.revokedAt || token.organizationId !== by.person.organizationId) throw noSuchToken()
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
    errors.push({ field: 'name', message: `is 1 to ${LONGEST_NAME} characters on one line` })
  }
  const scopes = SCOPES.filter((known) => request.scopes.includes(known))
  if (scopes.length === 0 || request.scopes.some((scope) => !SCOPES.some((known) => known === scope))) {
    errors.push({ field: 'scopes', message: `is a list of one or more of ${SCOPES.join(', ')}` })
  }
  const expiresAt = momentIn(request.expires_at)
  if (expiresAt === undefined) {
    errors.push({ field: 'expires_at', message: 'is not a time with its zone, such as 2030-12-31T00:00:00Z' })
  } else if (expiresAt <= now) {
    errors.push({ field: 'expires_at', message: 'is over already' })
  } else if (expiresAt.getTime() - now.getTime() > MOST_DAYS * DAY_MS) {
    errors.push({ field: 'expires_at', message: `is more than ${MOST_DAYS} days ahead` })
  }
  if (errors.length > 0) throw invalidRequest(errors)
  return { name: name!, scopes, expiresAt: expiresAt! }
}

/** A moment as RFC 3339 writes it. The platform would take the 30th of February for a day in March. */
function momentIn(text: string): Date | undefined {
  const [, day] = MOMENT.exec(text.trim()) ?? []
  if (day === undefined) return undefined
  const [moment, begun] = [new Date(text.trim()), new Date(`${day}T00:00:00Z`)]
  if (Number.isNaN(moment.getTime()) || Number.isNaN(begun.getTime())) return undefined
  return begun.toISOString().startsWith(day) ? moment : undefined
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
      message: `is taken: there is a token named ${JSON.stringify(name)}; revoke it or choose another name`,
    },
  ])
}

function noSuchToken(): Problem {
  return new Problem('not_found', 'Your organization has no such token: it was revoked, or belongs to somebody else.')
}

function tooMany(): Problem {
  return new Problem(
    'too_many_tokens',
    `Your organization has ${MOST_TOKENS} tokens. Revoke those that nobody uses first.`,
  )
}
