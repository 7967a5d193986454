import type { Clock } from '../clock.js'
import { Failure } from '../failure.js'
import type { Keys } from '../keys/keys.js'
import type { Database, Queries } from '../store/database.js'
import { currentKeyId, type KeyPurpose, lockKeys, makeKeyCurrent } from '../store/key-records.js'
import { migrate } from '../store/migrate.js'

/** What to compare, and where the operator finds it. */
const SOURCES: Readonly<Record<KeyPurpose, string>> = {
  signing: 'OMEN_SIGNING_KEY',
  encryption: 'OMEN_ENCRYPTION_KEY',
}

/**
 * Makes a database ready for this process: the schema is brought up to date, and the keys are those that its other processes
 * use. The first process records the ids of its keys; one with other keys is refused with a `Failure`.
 *
 * @example
 * await prepareDatabase({ database, keys, clock: () => new Date() })
 */
export async function prepareDatabase(parts: {
  readonly database: Database
  readonly keys: Keys
  readonly clock: Clock
}): Promise<void> {
  await migrate(parts.database, parts)
  await parts.database.transaction(async (queries) => {
    await lockKeys(queries)
    await agree(queries, 'encryption', parts)
    await agree(queries, 'signing', parts)
  })
}

async function agree(
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
      `the ${purpose} key of this process (${own[0]!.id}) is not the one of the database (${current})`,
      {
        hint: `Give every process on this database the same keys: keys.json of the first one's data directory, or ${SOURCES[purpose]}.`,
      },
    )
  }
  // Which key encrypts changes by a rotation only, when every process has it. A token's key is named in the token.
  if (current === undefined || (purpose === 'signing' && current !== own[0]!.id)) {
    await makeKeyCurrent(queries, purpose, own[0]!.id, clock())
  }
}

function find(keys: Keys, purpose: KeyPurpose, id: string): Promise<{ readonly id: string } | undefined> {
  return purpose === 'signing' ? keys.signingKey(id) : keys.encryptionKey(id)
}
