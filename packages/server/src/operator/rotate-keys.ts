import { recordAudit } from '../audit/audit.js'
import { reencryptSecrets } from '../organizations/reencrypt-secrets.js'
import { Problem } from '../problem.js'
import { lockKeys, makeKeyCurrent } from '../store/key-records.js'
import { OPERATOR, type OperationsParts } from './create-operations.js'

/**
 * Makes a new encryption key the one in use and encrypts every secret with it, batch by batch, while the server serves. Old
 * keys stay in the key ring: whoever interrupts this, or restores a backup, needs them. Run again, it goes on.
 */
export async function rotateKeys(
  parts: OperationsParts,
): Promise<{ readonly keyId: string; readonly reencrypted: number }> {
  const { database, keys, clock } = parts
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
    `${reencrypted} secrets were encrypted anew, but none of the keys opens the secret of ${names.join(', ')}${more}. ` +
      'Bring back the key that is missing and rotate again, or let these organizations connect again with a new code.',
  )
}
