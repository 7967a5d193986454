import type { Place } from '../keys/secrets.js'

/** Where an organization's client secret stands. */
export function secretPlace(organizationId: string): Place {
  return { table: 'connections', row: organizationId, column: 'client_secret' }
}
