import { checkDomain as readDomain } from '../onboarding/domain.js'
import { invalidRequest, publicDomain } from '../onboarding/normalize-request.js'
import { domainTaken } from '../onboarding/refuse.js'
import { Problem } from '../problem.js'
import type { Queries } from '../store/database.js'
import {
  countClaims,
  type DomainClaim,
  deleteClaim,
  findClaim,
  insertClaim,
  listClaims,
} from '../store/domain-claims.js'
import {
  type Domain,
  findDomainOwner,
  listDomains as listVerified,
  releaseDomain,
  takeDomain,
} from '../store/domains.js'
import type { By, DomainView, OfOrganization } from './administration.js'
import { keepAdministrator } from './members.js'
import { type AdministrationParts, changeAs } from './parts.js'
import { proveRecord, recordOf } from './prove-domain.js'

/** Domains that an organization may have waiting at once: nobody adds more in a day, and each can be looked up. */
const MOST_PENDING = 20

/** The name of a record is longer than its domain. */
const LONGEST_DOMAIN = 253 - '_omen.'.length

/** The domains of an organization, the primary one first, those that are pending at the end. */
export async function listDomains(
  { database }: AdministrationParts,
  { organizationId }: OfOrganization,
): Promise<readonly DomainView[]> {
  // In this order: one that is verified between the two reads is in both, not in none.
  const claims = await listClaims(database, organizationId)
  const verified = await listVerified(database, organizationId)
  const pending = claims.filter((claim) => !verified.some(({ domain }) => domain === claim.domain))
  return [...verified.map(verifiedView), ...pending.map(pendingView)]
}

/** Notes a domain that is to be verified. The same again gives the same record. */
export async function addDomain(parts: AdministrationParts, by: By, written: string): Promise<DomainView> {
  const domain = readNew(written)
  const { organizationId } = by.person
  return changeAs(parts, by, async ({ queries, now, record }) => {
    const known = await findOwn(queries, organizationId, domain)
    if (known) return viewOf(known)
    if (await findDomainOwner(queries, domain)) throw domainTaken(domain)
    if ((await countClaims(queries, organizationId)) >= MOST_PENDING) throw tooMany()
    const claim = await insertClaim(queries, organizationId, domain, now)
    await record('domain.added', { domain })
    return pendingView(claim)
  })
}

/** Looks for the record of a domain. What is found makes the domain the organization's own; one that is stays so. */
export async function checkDomain(parts: AdministrationParts, by: By, written: string): Promise<DomainView> {
  const domain = readKnown(written)
  const { organizationId } = by.person
  const found = await findOwn(parts.database, organizationId, domain)
  if (!found) throw noSuchDomain()
  if (found.kind === 'verified') return viewOf(found)
  const owner = await findDomainOwner(parts.database, domain)
  if (owner !== undefined && owner !== organizationId) throw domainTaken(domain)
  const { proof } = found.claim
  await proveRecord(parts.resolveTxt, recordOf(domain, proof))
  return changeAs(parts, by, async ({ queries, now, record }) => {
    // It may have been verified, removed or added anew meanwhile.
    const known = await findOwn(queries, organizationId, domain)
    if (known?.kind === 'verified') return viewOf(known)
    if (known?.claim.proof !== proof) throw noSuchDomain()
    const { addedAt } = known.claim
    if (!(await takeDomain(queries, domain, organizationId, now, { proof, addedAt }))) throw domainTaken(domain)
    await record('domain.verified', { domain })
    return verifiedView({ domain, isPrimary: false, proof, addedAt, connectedAt: now })
  })
}

/** Takes a domain away. What its people are signed in to ends, and they cannot sign in any more. */
export async function removeDomain(parts: AdministrationParts, by: By, written: string): Promise<void> {
  const domain = readKnown(written)
  const { organizationId } = by.person
  await changeAs(parts, by, async (change) => {
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
    await keepAdministrator(change, by)
    await record('domain.removed', { domain, status: 'verified', sessions_ended: ended })
  })
}

type Own =
  | { readonly kind: 'verified'; readonly domain: Domain; readonly claim?: never }
  | { readonly kind: 'pending'; readonly claim: DomainClaim; readonly domain?: never }

async function findOwn(queries: Queries, organizationId: string, name: string): Promise<Own | undefined> {
  // In this order: one that is verified between the two reads is found by the second.
  const claim = await findClaim(queries, organizationId, name)
  const domain = (await listVerified(queries, organizationId)).find((own) => own.domain === name)
  if (domain) return { kind: 'verified', domain }
  return claim && { kind: 'pending', claim }
}

function readNew(written: string): string {
  const read = readDomain(written)
  if ('domain' in read) {
    if (read.domain.length <= LONGEST_DOMAIN) return read.domain
    throw invalidRequest([{ field: 'domain', message: `has more than ${LONGEST_DOMAIN} characters` }])
  }
  if (read.problem === 'public_domain') throw publicDomain(read.message)
  throw invalidRequest([{ field: 'domain', message: read.message }])
}

/** What is no domain is none of the organization's. */
function readKnown(written: string): string {
  const read = readDomain(written)
  if ('domain' in read) return read.domain
  throw noSuchDomain()
}

function viewOf(own: Own): DomainView {
  return own.kind === 'verified' ? verifiedView(own.domain) : pendingView(own.claim)
}

function verifiedView({ domain, isPrimary, proof, addedAt, connectedAt }: Domain): DomainView {
  return {
    domain,
    status: 'verified',
    primary: isPrimary,
    added_at: addedAt.toISOString(),
    verified_at: connectedAt.toISOString(),
    record: recordOf(domain, proof),
  }
}

function pendingView({ domain, proof, addedAt }: DomainClaim): DomainView {
  return {
    domain,
    status: 'pending',
    primary: false,
    added_at: addedAt.toISOString(),
    verified_at: null,
    record: recordOf(domain, proof),
  }
}

function noSuchDomain(): Problem {
  return new Problem('not_found', 'Your organization has no such domain. Add it first: POST /v1/org/domains.')
}

function primaryDomain(domain: string): Problem {
  return new Problem(
    'primary_domain',
    `${domain} is the domain that your organization was connected with: it stays. To change it, ask the operator for a new code.`,
  )
}

function tooMany(): Problem {
  return new Problem(
    'too_many_domains',
    `${MOST_PENDING} domains wait to be verified already. Prove or remove some of them first.`,
  )
}
