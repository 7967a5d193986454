import { recordAudit } from '../audit/audit.js'
import { nameIn } from '../organizations/fields.js'
import { Problem } from '../problem.js'
import { type ReleaseKey, readPublicKey } from '../releases/release-key.js'
import { lockOrganizationByName } from '../store/organizations/organizations.js'
import {
  countFilesSignedBy,
  findReleaseKey,
  listReleaseKeys,
  markReleaseKeyRetired,
  type StoredReleaseKey,
  saveReleaseKey,
} from '../store/releases/release-keys.js'
import { lockReleases } from '../store/releases/releases.js'
import { OPERATOR, type OperationsDeps, unknownOrganization } from './operations.js'
import type { ReleaseKeyRecord, RetiredKeyRecord } from './release-operations.js'

/** Registers a key. A registered key stays unchanged; a retired key becomes current again. */
export async function addReleaseKey(
  { database, clock }: OperationsDeps,
  { pem, org }: { readonly pem: string; readonly org?: string },
): Promise<ReleaseKeyRecord> {
  const key = readPublicKey(pem)
  if (key === undefined) {
    throw new Problem(
      'invalid_request',
      'This is not a public key on the curve P-256 in PEM. Get it from the private key: openssl pkey -in release.pem -pubout',
    )
  }
  return database.transaction(async (queries) => {
    await lockReleases(queries)
    const organization = org === undefined ? undefined : await lockOrganizationByName(queries, nameIn(org) ?? '')
    if (org !== undefined && !organization) throw unknownOrganization(org)
    const known = await findReleaseKey(queries, key.id)
    if (known && known.organizationId !== organization?.id) throw takenKey(key, known)
    if (known && !known.retiredAt) return keyRecordOf(known)
    const now = clock()
    await saveReleaseKey(queries, { id: key.id, pem: key.pem, organizationId: organization?.id, addedAt: now })
    await recordAudit(queries, {
      at: now,
      actor: OPERATOR,
      action: 'release_key.added',
      ...(organization && { org: organization.name }),
      detail: { key: key.id, fingerprint: key.fingerprint },
    })
    return keyRecordOf((await findReleaseKey(queries, key.id))!)
  })
}

export async function listKeys({ database }: OperationsDeps): Promise<readonly ReleaseKeyRecord[]> {
  return (await listReleaseKeys(database)).map(keyRecordOf)
}

/** Retires a key: new signatures of it are rejected, and it is no longer listed. Retiring it again has no effect. */
export function retireReleaseKey({ database, clock }: OperationsDeps, id: string): Promise<RetiredKeyRecord> {
  return database.transaction(async (queries) => {
    // Publishing reads the keys under the same lock.
    await lockReleases(queries)
    const known = await findReleaseKey(queries, id.trim().toLowerCase())
    if (!known) {
      throw new Problem(
        'not_found',
        `There is no release key ${JSON.stringify(id)}. See: omen-server keys release --list`,
      )
    }
    const files = await countFilesSignedBy(queries, known.id)
    if (known.retiredAt) return { ...keyRecordOf(known), files }
    const now = clock()
    await markReleaseKeyRetired(queries, known.id, now)
    await recordAudit(queries, {
      at: now,
      actor: OPERATOR,
      action: 'release_key.retired',
      ...(known.organization !== undefined && { org: known.organization }),
      detail: { key: known.id },
    })
    return { ...keyRecordOf({ ...known, retiredAt: now }), files }
  })
}

function takenKey({ id }: ReleaseKey, { organization }: StoredReleaseKey): Problem {
  const owner = organization === undefined ? 'the releases of this service' : JSON.stringify(organization)
  return new Problem(
    'invalid_request',
    `The key ${id} is already registered for ${owner}. A key signs for one owner only.`,
  )
}

function keyRecordOf(key: StoredReleaseKey): ReleaseKeyRecord {
  return {
    id: key.id,
    fingerprint: readPublicKey(key.pem)?.fingerprint ?? '',
    ...(key.organization !== undefined && { org: key.organization }),
    state: key.retiredAt ? 'retired' : 'current',
    addedAt: key.addedAt.toISOString(),
  }
}
