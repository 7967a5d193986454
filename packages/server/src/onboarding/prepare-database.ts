import type { Clock } from '../clock.js'
import { Failure } from '../failure.js'
import type { Keys } from '../keys/keys.js'
import type { Database, Queries } from '../store/database.js'
import { currentKeyId, type KeyPurpose, lockKeys, makeKeyCurrent } from '../store/key-records.js'
import { migrate } from '../store/migrate.js'

/** The settings that hold the keys. */
const SOURCES: Readonly<Record<KeyPurpose, string>> = {
  signing: 'OMEN_SIGNING_KEY',
  encryption: 'OMEN_ENCRYPTION_KEY',
}

/**
 * Prepares a database for this process: migrates the schema, and checks that this process has the same keys as the others.
 * The first process records the ids of its keys; a process with different keys fails with a `Failure`.
 *
 * @example
 * await prepareDatabase({ database, keys, clock: () => new Date() })
 */
export async function prepareDatabase(deps: {
  readonly database: Database
  readonly keys: Keys
  readonly clock: Clock
}): Promise<void> {
  await migrate(deps.database, deps)
  await deps.database.transaction(async (queries) => {
    await lockKeys(queries)
    await agreeOnKey(queries, 'encryption', deps)
    await agreeOnKey(queries, 'signing', deps)
  })
}

async function agreeOnKey(
  queries: Queries,
  purpose: KeyPurpose,
  { keys, clock }: { readonly keys: Keys; readonly clock: Clock },
): Promise<void> {
  const current = await currentKeyId(queries, purpose)
  const own = keys.ring()[purpose]
  const known = current === undefined || (await find(keys, purpose, current)) !== undefined
  if (!known) {
    throw new Failure(
      'Start',
      `the ${purpose} key of this process (${own[0]!.id}) differs from the key recorded in the database (${current})`,
      {
        hint: `Give every process that uses this database the same keys: copy keys.json from the data directory of the first process, or set ${SOURCES[purpose]}.`,
      },
    )
  }
  // The encryption key changes only by a rotation, after every process has the new key. A token names its signing key.
  if (current === undefined || (purpose === 'signing' && current !== own[0]!.id)) {
    await makeKeyCurrent(queries, purpose, own[0]!.id, clock())
  }
}

function find(keys: Keys, purpose: KeyPurpose, id: string): Promise<{ readonly id: string } | undefined> {
  return purpose === 'signing' ? keys.signingKey(id) : keys.encryptionKey(id)
}
