import { recordAudit } from '../audit/audit.js'
import { reencryptSecrets } from '../organizations/reencrypt-secrets.js'
import { Problem } from '../problem.js'
import { lockKeys, makeKeyCurrent } from '../store/key-records.js'
import { OPERATOR, type OperationsDeps } from './operations.js'

/**
 * Makes a new encryption key the one in use and encrypts every secret with it, batch by batch, while the server serves. Old
 * keys stay in the key ring: an interrupted rotation and restored backups need them. Run again, it continues.
 */
export async function rotateKeys(
  deps: OperationsDeps,
): Promise<{ readonly keyId: string; readonly reencrypted: number }> {
  const { database, keys, clock } = deps
  const key = await database.transaction(async (queries) => {
    // Two rotations at once would each write the key file without the other's key.
    await lockKeys(queries)
    const next = await keys.nextEncryptionKey()
    await makeKeyCurrent(queries, 'encryption', next.id, clock())
    await recordAudit(queries, { at: clock(), actor: OPERATOR, action: 'keys.rotated', detail: { key: next.id } })
    return next
  })
  const { reencrypted, unreadable } = await reencryptSecrets(database, keys, key)
  if (unreadable.length > 0) throw unreadableSecrets(unreadable, reencrypted)
  return { keyId: key.id, reencrypted }
}

function unreadableSecrets(organizations: readonly string[], reencrypted: number): Problem {
  const names = organizations.slice(0, 10).map((name) => JSON.stringify(name))
  const more = organizations.length > names.length ? ` and ${organizations.length - names.length} more` : ''
  return new Problem(
    'internal',
    `${reencrypted === 1 ? '1 secret was' : `${reencrypted} secrets were`} re-encrypted, but no key decrypts the secret of ${names.join(', ')}${more}. ` +
      'Restore the missing key and rotate again, or let these organizations connect again with a new code.',
  )
}
