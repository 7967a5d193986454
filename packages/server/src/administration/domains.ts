import { domainTaken, checkDomain as parseDomain, publicDomain } from '../organizations/domain.js'
import { invalidRequest } from '../organizations/fields.js'
import { Problem } from '../problem.js'
import type { Queries } from '../store/database.js'
import {
  countClaims,
  type Domain,
  type DomainClaim,
  deleteClaim,
  findClaim,
  findDomainOwner,
  insertClaim,
  listClaims,
  listDomains as listVerified,
  releaseDomain,
  takeDomain,
} from '../store/organizations/domains.js'
import type { Actor, AdministrationDeps, DomainView, OrganizationRef } from './administration.js'
import { changeAs } from './change.js'
import { keepAdministrator } from './members.js'
import { recordOf, verifyRecord } from './verify-domain.js'

/** How many unverified domains an organization may have: each of them can cause DNS lookups. */
const MOST_PENDING = 20

/** The name of the DNS record is longer than its domain. */
const LONGEST_DOMAIN = 253 - '_omen.'.length

/** The domains of an organization: the primary one first, pending ones last. */
export async function listDomains(
  { database }: AdministrationDeps,
  { organizationId }: OrganizationRef,
): Promise<readonly DomainView[]> {
  // In this order, a domain that is verified between the two reads is in both results, not in neither.
  const claims = await listClaims(database, organizationId)
  const verified = await listVerified(database, organizationId)
  const pending = claims.filter((claim) => !verified.some(({ domain }) => domain === claim.domain))
  return [...verified.map(verifiedView), ...pending.map(pendingView)]
}

/** Adds a domain that is to be verified. Adding it again gives the same DNS record. */
export async function addDomain(deps: AdministrationDeps, actor: Actor, typed: string): Promise<DomainView> {
  const domain = parseNew(typed)
  const { organizationId } = actor.user
  return changeAs(deps, actor, async ({ queries, now, record }) => {
    const known = await findOwn(queries, organizationId, domain)
    if (known) return viewOf(known)
    if (await findDomainOwner(queries, domain)) throw domainTaken(domain)
    if ((await countClaims(queries, organizationId)) >= MOST_PENDING) throw tooMany()
    const claim = await insertClaim(queries, organizationId, domain, now)
    await record('domain.added', { domain })
    return pendingView(claim)
  })
}

/** Looks up the DNS record of a domain, and verifies the domain if the record is found. A verified domain stays verified. */
export async function checkDomain(deps: AdministrationDeps, actor: Actor, typed: string): Promise<DomainView> {
  const domain = parseKnown(typed)
  const { organizationId } = actor.user
  const found = await findOwn(deps.database, organizationId, domain)
  if (!found) throw noSuchDomain()
  if (found.kind === 'verified') return viewOf(found)
  const owner = await findDomainOwner(deps.database, domain)
  if (owner !== undefined && owner !== organizationId) throw domainTaken(domain)
  const { challenge } = found.claim
  await verifyRecord(deps.resolveTxt, recordOf(domain, challenge))
  return changeAs(deps, actor, async ({ queries, now, record }) => {
    // The domain may have been verified, removed or added again in the meantime.
    const known = await findOwn(queries, organizationId, domain)
    if (known?.kind === 'verified') return viewOf(known)
    if (known?.claim.challenge !== challenge) throw noSuchDomain()
    const { addedAt } = known.claim
    if (!(await takeDomain(queries, domain, organizationId, now, { challenge, addedAt }))) throw domainTaken(domain)
    await record('domain.verified', { domain })
    return verifiedView({ domain, isPrimary: false, challenge, addedAt, connectedAt: now })
  })
}

/** Removes a domain. Its users are signed out and can no longer sign in. */
export async function removeDomain(deps: AdministrationDeps, actor: Actor, typed: string): Promise<void> {
  const domain = parseKnown(typed)
  const { organizationId } = actor.user
  await changeAs(deps, actor, async (change) => {
    const { queries, record } = change
    const known = await findOwn(queries, organizationId, domain)
    if (!known) throw noSuchDomain()
    if (known.kind === 'pending') {
      await deleteClaim(queries, organizationId, domain)
      await record('domain.removed', { domain, status: 'pending' })
      return
    }
    if (known.domain.isPrimary) throw primaryDomain(domain)
    const ended = await releaseDomain(queries, domain, organizationId)
    await keepAdministrator(change, actor)
    await record('domain.removed', { domain, status: 'verified', sessions_ended: ended })
  })
}

type OwnDomain =
  | { readonly kind: 'verified'; readonly domain: Domain; readonly claim?: never }
  | { readonly kind: 'pending'; readonly claim: DomainClaim; readonly domain?: never }

async function findOwn(queries: Queries, organizationId: string, name: string): Promise<OwnDomain | undefined> {
  // In this order, a domain that is verified between the two reads is found by the second read.
  const claim = await findClaim(queries, organizationId, name)
  const domain = (await listVerified(queries, organizationId)).find((own) => own.domain === name)
  if (domain) return { kind: 'verified', domain }
  return claim && { kind: 'pending', claim }
}

function parseNew(typed: string): string {
  const parsed = parseDomain(typed)
  if ('domain' in parsed) {
    if (parsed.domain.length <= LONGEST_DOMAIN) return parsed.domain
    throw invalidRequest([{ field: 'domain', message: `must have at most ${LONGEST_DOMAIN} characters` }])
  }
  if (parsed.problem === 'public_domain') throw publicDomain(parsed.message)
  throw invalidRequest([{ field: 'domain', message: parsed.message }])
}

/** A string that is not a domain name is not one of the organization's domains. */
function parseKnown(typed: string): string {
  const parsed = parseDomain(typed)
  if ('domain' in parsed) return parsed.domain
  throw noSuchDomain()
}

function viewOf(own: OwnDomain): DomainView {
  return own.kind === 'verified' ? verifiedView(own.domain) : pendingView(own.claim)
}

function verifiedView({ domain, isPrimary, challenge, addedAt, connectedAt }: Domain): DomainView {
  return {
    domain,
    status: 'verified',
    primary: isPrimary,
    added_at: addedAt.toISOString(),
    verified_at: connectedAt.toISOString(),
    record: recordOf(domain, challenge),
  }
}

function pendingView({ domain, challenge, addedAt }: DomainClaim): DomainView {
  return {
    domain,
    status: 'pending',
    primary: false,
    added_at: addedAt.toISOString(),
    verified_at: null,
    record: recordOf(domain, challenge),
  }
}

function noSuchDomain(): Problem {
  return new Problem('not_found', 'Your organization does not have this domain. Add it first: POST /v1/org/domains.')
}

function primaryDomain(domain: string): Problem {
  return new Problem(
    'primary_domain',
    `${domain} is the domain with which your organization was connected, and cannot be removed. To change it, ask the operator for a new code.`,
  )
}

function tooMany(): Problem {
  return new Problem(
    'too_many_domains',
    `Your organization already has ${MOST_PENDING} unverified domains. Verify or remove some of them first.`,
  )
}
