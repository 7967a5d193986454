import { ask, onEnter } from '../console/ask.js'
import { startTicking } from '../console/clock.js'
import { here } from '../console/log.js'
import { sanitize } from '../console/text/sanitize.js'
import { Failure } from '../failure.js'
import { isPrivate } from '../network/authorization.js'
import type { Listen, Session } from '../session.js'
import { type AccountClock, CLOCK } from './account-clock.js'
import { type AccountService, openAccountService } from './account-service.js'
import { createLoginView, type LoginView } from './login-view.js'
import { findOpener, openBrowser } from './open-browser.js'
import { type DeviceAuthorization, describeUser, statusAsJson, type Tokens } from './read-responses.js'
import { addressOf, identityOf, readServiceUrl } from './service-address.js'
import { readSignIn, readTokens, type SignIn, withTokenLock, writeSignIn } from './token-file.js'
import { waitForApproval } from './wait-for-approval.js'
import { checkService, writeService } from './write-service.js'

export interface LoginCommand {
  /** The service in the command line; without it, `service.url`. */
  readonly service: string | undefined
  readonly acceptUpdates: boolean
  readonly quiet: boolean
  readonly json: boolean
}

export interface LoginDeps {
  readonly clock?: AccountClock
  /** Asks the user on the terminal; undefined without an answer. */
  readonly ask?: (question: string) => boolean | undefined
}

/**
 * `omen login [service url]`: shows an address and a code, waits until the user has approved the sign-in in a browser (RFC 8628),
 * and stores the tokens in `.ruletoken`. Another service becomes `service.url` after a question. Returns the exit code: 1 if the
 * user declines, 130 after Ctrl-C.
 *
 * @example
 * await login({ service: 'omen.example.com', acceptUpdates: false, quiet: false, json: false }, session, listen)
 */
export async function login(
  command: LoginCommand,
  session: Session,
  listen: Listen,
  deps: LoginDeps = {},
): Promise<number> {
  const { clock = CLOCK } = deps
  const { folder, settings } = session.loaded
  const url = chooseService(command, session)
  const isNew = settings.serviceUrl === undefined || identityOf(new URL(settings.serviceUrl)) !== identityOf(url)
  if (!confirm(questionsFor(url, isNew, session), command, session, deps)) {
    session.out.write('Nothing was changed.\n')
    return 1
  }
  // Tokens or a service that cannot be stored must fail before the user approves the sign-in.
  await withTokenLock(folder, clock, async () => {})
  if (isNew) await checkService({ url: addressOf(url) }, session)
  const interruption = listen()
  const service = openAccountService({ url, env: session.env })
  try {
    const tokens = await approve(service, command, session, { clock, signal: interruption.signal })
    const previous = await store(service, tokens, session, clock)
    if (isNew) await writeService({ url: addressOf(url) }, session)
    await printSignedIn(service, tokens, { command, session, isNew })
    if (previous) await revokePrevious(previous, session)
    return 0
  } catch (error) {
    if (interruption.exitCode !== undefined) return interruption.exitCode
    throw error
  } finally {
    interruption.release()
    service.close()
  }
}

function chooseService({ service }: LoginCommand, { loaded }: Session): URL {
  const { serviceUrl } = loaded.settings
  if (service === undefined && serviceUrl === undefined) {
    throw new Failure(
      'Usage',
      'no service is configured: give its address, for example omen login https://omen.example.com',
    )
  }
  const url = service === undefined ? new URL(serviceUrl!) : readServiceUrl(service)
  if (!isPrivate(url)) {
    const kind = service === undefined ? 'Config' : 'Usage'
    throw new Failure(kind, `${identityOf(url)}: tokens are sent only over https:// or to this machine: use https://`)
  }
  return url
}

/** Asks before settings change or a token is lost. */
function questionsFor(url: URL, isNew: boolean, { loaded }: Session): readonly string[] {
  const { serviceUrl } = loaded.settings
  const instead = serviceUrl === undefined ? '' : ` instead of ${identityOf(new URL(serviceUrl))}`
  const found = readTokens(loaded.folder)
  return [
    ...(isNew ? [`Use ${identityOf(url)} as your service${instead}?`] : []),
    ...(found && 'token' in found
      ? ['Replace the token in .ruletoken that an operator issued? It cannot be restored.']
      : []),
  ]
}

function confirm(
  questions: readonly string[],
  { acceptUpdates, json }: LoginCommand,
  session: Session,
  deps: LoginDeps,
): boolean {
  if (acceptUpdates) return true
  return questions.every((question) => {
    const askNow = deps.ask ?? ((text: string) => ask(text, false))
    const answer = session.out.isTerminal && !json ? askNow(question) : undefined
    if (answer !== undefined) return answer
    throw new Failure('Usage', `cannot ask without a terminal: "${question}" Use -y to answer yes`)
  })
}

async function approve(
  service: AccountService,
  { quiet, json }: LoginCommand,
  { out, env }: Session,
  { clock, signal }: { readonly clock: AccountClock; readonly signal: AbortSignal },
): Promise<Tokens> {
  const device = await service.begin(signal)
  const opener = findOpener(process.platform, env)
  const view: LoginView = json
    ? jsonView((text) => out.write(text), clock)
    : createLoginView(out, {
        host: service.url.host,
        quiet,
        monotonic: clock.monotonic,
        tick: startTicking,
        onEnter,
        open: opener && ((url, failed) => openBrowser(opener, url, failed)),
      })
  view.begin(device)
  try {
    return await waitForApproval(device, { service, clock, signal, changed: (waiting) => view.update(waiting) })
  } finally {
    view.end()
  }
}

/** One line of JSON for the code; `printSignedIn` prints the second line. */
function jsonView(write: (text: string) => void, { now }: AccountClock): LoginView {
  return {
    begin({ uri, uriComplete, userCode, lifetime }: DeviceAuthorization) {
      const line = {
        verificationUri: uri.href,
        verificationUriComplete: uriComplete?.href ?? null,
        userCode,
        expires: new Date(now() + lifetime).toISOString(),
      }
      write(`${JSON.stringify(line)}\n`)
    },
    update() {},
    end() {},
  }
}

/** Stores the tokens and returns the previous sign-in. Revokes tokens that cannot be stored: their session would last for weeks. */
async function store(
  service: AccountService,
  tokens: Tokens,
  session: Session,
  clock: AccountClock,
): Promise<SignIn | undefined> {
  const { folder } = session.loaded
  const { accessToken, refreshToken, lifetime } = tokens
  const signIn: SignIn = {
    service: identityOf(service.url),
    accessToken,
    refreshToken,
    expiresAt: clock.now() + lifetime,
  }
  try {
    return await withTokenLock(folder, clock, async () => {
      const previous = readSignIn(folder)
      await writeSignIn(folder, signIn)
      return previous
    })
  } catch (error) {
    await service.revoke(refreshToken).catch(() => {})
    throw error
  }
}

/** Ends the replaced sign-in. If the service cannot be reached, it expires later. */
async function revokePrevious({ service: address, refreshToken }: SignIn, { env, log }: Session): Promise<void> {
  try {
    const service = openAccountService({ url: new URL(address), env })
    await service.revoke(refreshToken).finally(() => service.close())
  } catch (error) {
    log.info(here(), 'the previous sign-in was not revoked', { service: address, reason: (error as Error).message })
  }
}

async function printSignedIn(
  service: AccountService,
  { accessToken }: Tokens,
  {
    command: { quiet, json },
    session: { out, loaded },
    isNew,
  }: { readonly command: LoginCommand; readonly session: Session; readonly isNew: boolean },
): Promise<void> {
  const address = identityOf(service.url)
  // The user is signed in even if the service does not name the user.
  const response = await service.user(accessToken).catch(() => undefined)
  const user = response === 'refused' ? undefined : response
  if (json) {
    const until = await service.sessionEnd(accessToken).catch(() => undefined)
    out.write(`${JSON.stringify(statusAsJson({ service: address, user, until, isSignedIn: true }))}\n`)
    return
  }
  if (quiet) return
  const as = user ? ` as ${sanitize(`${describeUser(user)} (${user.org.name})`)}` : ''
  out.write(`Signed in to ${service.url.host}${as}.\n`)
  if (!isNew) return
  out.write(`Wrote service.url to ${sanitize(loaded.file)}\nTo also get its rules: omen updates trust ${address}\n`)
}
