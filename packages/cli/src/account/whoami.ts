import { formatLocalTime } from '../console/clock.js'
import { formatTable } from '../console/text/table.js'
import { Failure } from '../failure.js'
import type { Session } from '../session.js'
import { type AccountService, openAccountService } from './account-service.js'
import { type SignInStatus, statusAsJson, type User } from './read-responses.js'
import { identityOf } from './service-address.js'
import { type IssuedToken, readTokens, type SignIn } from './token-file.js'
import { openTokens, type TokenSource } from './token-source.js'

export interface WhoamiCommand {
  readonly quiet: boolean
  readonly json: boolean
}

/**
 * `omen whoami`: requests the signed-in user from the service, and shows name, address, organization, service and end of the
 * session. Returns the exit code: 1 if no user is signed in.
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
    if (json) out.write(asJson({ isSignedIn: false, service, user: undefined, until: undefined }))
    if (!quiet) err.write(`${whyNotSignedIn(found, serviceUrl)}\n`)
    return 1
  }
  const url = serviceOf(found, session)
  const tokens = openTokens(session, url)
  const service = openAccountService({ url, env: session.env })
  try {
    const { user, token } = await findUser(service, tokens)
    // An older service does not return it.
    const until = await service.sessionEnd(token).catch(() => undefined)
    const status = { isSignedIn: true, service: found.service, user, until }
    if (json) out.write(asJson(status))
    else if (!quiet) out.write(render(status, session))
    return 0
  } finally {
    service.close()
  }
}

/** The URL of the service, with the user name and password that `service.url` may contain for a proxy. */
function serviceOf({ service }: SignIn, { loaded }: Session): URL {
  const { serviceUrl } = loaded.settings
  const configured = serviceUrl === undefined ? undefined : new URL(serviceUrl)
  return configured && identityOf(configured) === service ? configured : new URL(service)
}

function whyNotSignedIn(found: IssuedToken | undefined, serviceUrl: string | undefined): string {
  const command = serviceUrl === undefined ? 'omen login <service url>' : 'omen login'
  if (found === undefined) return `You are not signed in. Sign in: ${command}`
  return `You are not signed in: the token in .ruletoken was issued by an operator, not to a user. Sign in: ${command}`
}

async function findUser(
  service: AccountService,
  tokens: TokenSource | undefined,
): Promise<{ user: User; token: string }> {
  const ended = new Failure('Network', `${service.url.host}: the sign-in has ended. Sign in again: omen login`)
  let token = await tokens?.current()
  if (token === undefined) throw ended
  let user = await service.user(token)
  if (user === 'refused') {
    token = await tokens?.renewed(token)
    if (token === undefined) throw ended
    user = await service.user(token)
  }
  if (user === 'refused') throw ended
  return { user, token }
}

function render({ user, service = '', until }: SignInStatus, { out, loaded }: Session): string {
  const { serviceUrl } = loaded.settings
  const isOther = serviceUrl !== undefined && identityOf(new URL(serviceUrl)) !== service
  const { name = '', email = '', org } = user ?? {}
  const rows = [
    ['E-mail', email],
    ...(name === email || name === '' ? [] : [['Name', name]]),
    ['Organization', org ? `${org.name} (${org.domain})` : ''],
    ['Service', isOther ? `${service} (service.url is ${identityOf(new URL(serviceUrl))})` : service],
    ...(until === undefined ? [] : [['Until', formatLocalTime(until)]]),
  ]
  return formatTable(rows, out)
}

function asJson(status: SignInStatus): string {
  return `${JSON.stringify(statusAsJson(status), null, 2)}\n`
}
