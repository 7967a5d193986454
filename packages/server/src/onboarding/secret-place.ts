import type { Place } from '../keys/secrets.js'

/** Where an organization's client secret stands. */
export function secretPlace(organizationId: string): Place {
  return { table: 'connections', row: organizationId, column: 'client_secret' }
}

/** Where the client secret of a sign-in that is being tried stands. A test that replaces another has another link. */
export function testSecretPlace(linkHash: string): Place {
  return { table: 'sign_in_tests', row: linkHash, column: 'client_secret' }
}

/** Where the PKCE verifier of a browser on its way stands. */
export function verifierPlace(stateHash: string): Place {
  return { table: 'authorizations', row: stateHash, column: 'verifier' }
}
