import { formatLocalTime } from '../console/clock.js'
import { formatTable } from '../console/text/table.js'
import { Failure } from '../failure.js'
import type { Session } from '../session.js'
import { type AccountService, openAccountService } from './account-service.js'
import { type Known, personAsJson } from './describe-person.js'
import { openTokens } from './open-tokens.js'
import type { Person } from './read-answers.js'
import { identityOf } from './service-address.js'
import { type IssuedToken, readTokens, type SignIn } from './token-file.js'
import type { TokenSource } from './token-source.js'

export interface WhoamiCommand {
  readonly quiet: boolean
  readonly json: boolean
}

/**
 * `omen whoami`: asks the service who is signed in, and shows name, address, organization, service and until when. Returns the
 * exit code: 1 when nobody is, with what to do on standard error.
 *
 * @example
 * await whoami({ quiet: false, json: false }, session)
 */
export async function whoami({ quiet, json }: WhoamiCommand, session: Session): Promise<number> {
  const { loaded, out, err } = session
  const found = readTokens(loaded.folder)
  if (!found || 'token' in found) {
    const { serviceUrl } = loaded.settings
    const service = serviceUrl === undefined ? undefined : identityOf(new URL(serviceUrl))
    if (json) out.write(asJson({ isSignedIn: false, service, person: undefined, until: undefined }))
    if (!quiet) err.write(`${whyNobody(found, serviceUrl)}\n`)
    return 1
  }
  const url = serviceOf(found, session)
  const tokens = openTokens(session, url)
  const service = openAccountService({ url, env: session.env })
  try {
    const { person, token } = await findPerson(service, tokens)
    // An older service does not say it.
    const until = await service.end(token).catch(() => undefined)
    const known = { isSignedIn: true, service: found.service, person, until }
    if (json) out.write(asJson(known))
    else if (!quiet) out.write(render(known, session))
    return 0
  } finally {
    service.close()
  }
}

/** The address of the service, with the name and password that `service.url` may have for a proxy before it. */
function serviceOf({ service }: SignIn, { loaded }: Session): URL {
  const { serviceUrl } = loaded.settings
  const configured = serviceUrl === undefined ? undefined : new URL(serviceUrl)
  return configured && identityOf(configured) === service ? configured : new URL(service)
}

function whyNobody(found: IssuedToken | undefined, serviceUrl: string | undefined): string {
  const command = serviceUrl === undefined ? 'omen login <service url>' : 'omen login'
  if (found === undefined) return `You are not signed in: ${command}`
  return `You are not signed in: the token in .ruletoken was issued by an operator and names nobody. To sign in: ${command}`
}

async function findPerson(
  service: AccountService,
  tokens: TokenSource | undefined,
): Promise<{ person: Person; token: string }> {
  const ended = new Failure('Network', `${service.url.host}: the sign-in has ended. Sign in again: omen login`)
  let token = await tokens?.current()
  if (token === undefined) throw ended
  let person = await service.person(token)
  if (person === 'refused') {
    token = await tokens?.renewed(token)
    if (token === undefined) throw ended
    person = await service.person(token)
  }
  if (person === 'refused') throw ended
  return { person, token }
}

function render({ person, service = '', until }: Known, { out, loaded }: Session): string {
  const { serviceUrl } = loaded.settings
  const isOther = serviceUrl !== undefined && identityOf(new URL(serviceUrl)) !== service
  const { name = '', email = '', org } = person ?? {}
  const rows = [
    ['E-mail', email],
    ...(name === email || name === '' ? [] : [['Name', name]]),
    ['Organization', org ? `${org.name} (${org.domain})` : ''],
    ['Service', isOther ? `${service} (service.url is another: ${identityOf(new URL(serviceUrl))})` : service],
    ...(until === undefined ? [] : [['Until', formatLocalTime(until)]]),
  ]
  return formatTable(rows, out)
}

function asJson(known: Known): string {
  return `${JSON.stringify(personAsJson(known), null, 2)}\n`
}
