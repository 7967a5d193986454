import type { Provider } from '../discovery/provider.js'
import { encryptSecret } from '../keys/secrets.js'
import { encryptionKey } from '../onboarding/complete.js'
import { secretPlace } from '../onboarding/secret-place.js'
import { Problem } from '../problem.js'
import { openSecret } from '../sessions/parts.js'
import { saveConnection } from '../store/connections.js'
import { deleteReplacement, lockReplacement } from '../store/replacements.js'
import type { By, ConnectionView } from './administration.js'
import { admitReplacement } from './admit-replacement.js'
import { type AdministrationParts, changeAs, replacementSecretPlace } from './parts.js'
import { currentConnection, currentView } from './read-connection.js'

/**
 * Puts the next connection in the place of the one in use. Whoever switches has signed in through it: nobody is locked out. With
 * the same issuer and application everybody stays signed in; with another issuer nobody does, which the database sees to.
 */
export function switchConnection(parts: AdministrationParts, by: By): Promise<ConnectionView> {
  const { organizationId, email } = by.person
  return changeAs(parts, by, async ({ queries, now, record }) => {
    // Before the row is locked, as a rotation of keys does.
    const key = await encryptionKey(queries, parts.keys)
    const next = admitReplacement(await lockReplacement<Provider>(queries, organizationId), 'switch', now)
    if (next.testedAs?.toLowerCase() !== email.toLowerCase()) throw testedAsAnother(next.testedAs, email)
    const before = await currentConnection(queries, organizationId)
    const secret = await openSecret(parts.keys, next.encryptedSecret, replacementSecretPlace(next.id))
    const current = {
      ...before,
      issuer: next.issuer,
      provider: next.provider,
      clientId: next.clientId,
      encryptedSecret: encryptSecret(key, secret, secretPlace(organizationId)),
      secretKeyId: key.id,
      authMethod: next.authMethod,
      connectedAt: now,
    }
    await saveConnection(queries, current)
    await deleteReplacement(queries, organizationId)
    await record('connection.replaced', {
      replacement: next.id,
      issuer: next.issuer,
      client_id: next.clientId,
      issuer_before: before.issuer,
      client_id_before: before.clientId,
    })
    return { current: currentView(parts, current), next: null }
  })
}

/** Gives up the next connection. The one in use has never stopped working. */
export async function dropNextConnection(parts: AdministrationParts, by: By): Promise<void> {
  await changeAs(parts, by, async ({ queries, now, record }) => {
    const next = admitReplacement(await lockReplacement<Provider>(queries, by.person.organizationId), 'drop', now)
    await deleteReplacement(queries, by.person.organizationId)
    await record('connection.dropped', { replacement: next.id, issuer: next.issuer, client_id: next.clientId })
  })
}

function testedAsAnother(tested: string | undefined, email: string): Problem {
  return new Problem(
    'connection_untested',
    `The next connection was tested as ${tested}, and you are ${email}. Test it yourself, so that you can sign in after the switch.`,
  )
}
