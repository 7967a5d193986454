import type { Person } from './read-answers.js'

/** What is known of a sign-in. */
export interface Known {
  readonly isSignedIn: boolean
  readonly service: string | undefined
  readonly person: Person | undefined
  /** Milliseconds since 1970. */
  readonly until: number | undefined
}

/**
 * Somebody in one line: name and address, or the address alone where the service knows no name.
 *
 * @example
 * nameOf({ email: 'ada@acme.com', name: 'Ada Lovelace', org }) // 'Ada Lovelace <ada@acme.com>'
 */
export function nameOf({ name, email }: Person): string {
  return name === email || name === '' ? email : `${name} <${email}>`
}

/** For programs: what is not known is null. */
export function personAsJson({ isSignedIn, service, person, until }: Known) {
  return {
    signedIn: isSignedIn,
    service: service ?? null,
    email: person?.email ?? null,
    name: person?.name ?? null,
    org: person?.org ?? null,
    until: until === undefined ? null : new Date(until).toISOString(),
  }
}
