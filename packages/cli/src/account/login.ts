import { ask, onEnter } from '../console/ask.js'
import { startTicking } from '../console/clock.js'
import { here } from '../console/log.js'
import { sanitize } from '../console/text/sanitize.js'
import { Failure } from '../failure.js'
import { keepsSecrets } from '../network/authorization.js'
import type { Listen, Session } from '../session.js'
import { type AccountClock, CLOCK } from './account-clock.js'
import { type AccountService, openAccountService } from './account-service.js'
import { nameOf, personAsJson } from './describe-person.js'
import { createLoginView, type LoginView } from './login-view.js'
import { findOpener, openBrowser } from './open-browser.js'
import type { DeviceAuthorization, Tokens } from './read-answers.js'
import { addressOf, identityOf, readServiceUrl } from './service-address.js'
import { readSignIn, readTokens, type SignIn, writeSignIn } from './token-file.js'
import { withTokenLock } from './token-lock.js'
import { waitForApproval } from './wait-for-approval.js'
import { checkService, writeService } from './write-service.js'

export interface LoginCommand {
  /** The service that was named; `service.url` counts without one. */
  readonly service: string | undefined
  readonly acceptUpdates: boolean
  readonly quiet: boolean
  readonly json: boolean
}

export interface LoginTools {
  readonly clock?: AccountClock
  /** Asks somebody on the terminal; undefined when nobody answers. */
  readonly ask?: (question: string) => boolean | undefined
}

/**
 * `omen login [service url]`: shows an address and a code, waits until somebody has approved them in a browser (RFC 8628), and keeps
 * the tokens in `.ruletoken`. A service that is not yet `service.url` becomes it, after a question. Returns the exit code: 1 when
 * somebody says no, 130 after Ctrl-C.
 *
 * @example
 * await login({ service: 'omen.example.com', acceptUpdates: false, quiet: false, json: false }, session, listen)
 */
export async function login(
  command: LoginCommand,
  session: Session,
  listen: Listen,
  tools: LoginTools = {},
): Promise<number> {
  const { clock = CLOCK } = tools
  const { folder, settings } = session.loaded
  const url = chooseService(command, session)
  const isNew = settings.serviceUrl === undefined || identityOf(new URL(settings.serviceUrl)) !== identityOf(url)
  if (!isAgreed(questionsFor(url, isNew, session), command, session, tools)) {
    session.out.write('Nothing was changed.\n')
    return 1
  }
  // What cannot be kept is told before somebody approves it.
  await withTokenLock(folder, clock, async () => {})
  if (isNew) await checkService({ url: addressOf(url) }, session)
  const interruption = listen()
  const service = openAccountService({ url, env: session.env })
  try {
    const tokens = await approve(service, command, session, { clock, signal: interruption.signal })
    const before = await keep(service, tokens, session, clock)
    if (isNew) await writeService({ url: addressOf(url) }, session)
    await welcome(service, tokens, { command, session, isNew })
    if (before) await endBefore(before, session)
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
    throw new Failure('Usage', 'no service is configured: name it, as omen login https://omen.example.com')
  }
  const url = service === undefined ? new URL(serviceUrl!) : readServiceUrl(service)
  if (!keepsSecrets(url)) {
    const kind = service === undefined ? 'Config' : 'Usage'
    throw new Failure(kind, `${identityOf(url)}: tokens go over https:// alone, or to this machine: use https://`)
  }
  return url
}

/** What would be lost or changed. */
function questionsFor(url: URL, isNew: boolean, { loaded }: Session): readonly string[] {
  const { serviceUrl } = loaded.settings
  const before = serviceUrl === undefined ? '' : `, in place of ${identityOf(new URL(serviceUrl))}`
  const found = readTokens(loaded.folder)
  return [
    ...(isNew ? [`Use ${identityOf(url)} as your service${before}?`] : []),
    ...(found && 'token' in found ? ['Replace the token that somebody put into .ruletoken? It is not kept.'] : []),
  ]
}

function isAgreed(
  questions: readonly string[],
  { acceptUpdates, json }: LoginCommand,
  session: Session,
  tools: LoginTools,
): boolean {
  if (acceptUpdates) return true
  return questions.every((question) => {
    const askNow = tools.ask ?? ((text: string) => ask(text, false))
    const answer = session.out.isTerminal && !json ? askNow(question) : undefined
    if (answer !== undefined) return answer
    throw new Failure('Usage', `there is no terminal to ask on (${question}): give -y for yes`)
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

/** A line when there is a code, and one when somebody is signed in. */
function jsonView(write: (text: string) => void, { now }: AccountClock): LoginView {
  return {
    begin({ uri, uriComplete, userCode, lasts }: DeviceAuthorization) {
      const line = {
        verificationUri: uri.href,
        verificationUriComplete: uriComplete?.href ?? null,
        userCode,
        expires: new Date(now() + lasts).toISOString(),
      }
      write(`${JSON.stringify(line)}\n`)
    },
    update() {},
    end() {},
  }
}

/** Gives the sign-in before. What cannot be kept is given back: a sign-in that nobody has would last for weeks. */
async function keep(
  service: AccountService,
  tokens: Tokens,
  session: Session,
  clock: AccountClock,
): Promise<SignIn | undefined> {
  const { folder } = session.loaded
  const { accessToken, refreshToken, lasts } = tokens
  const signIn: SignIn = {
    service: identityOf(service.url),
    accessToken,
    refreshToken,
    expiresAt: clock.now() + lasts,
  }
  try {
    return await withTokenLock(folder, clock, async () => {
      const before = readSignIn(folder)
      await writeSignIn(folder, signIn)
      return before
    })
  } catch (error) {
    await service.revoke(refreshToken).catch(() => {})
    throw error
  }
}

/** The sign-in that this one takes the place of. If it cannot be ended, it ends by itself. */
async function endBefore({ service: address, refreshToken }: SignIn, { env, log }: Session): Promise<void> {
  try {
    const service = openAccountService({ url: new URL(address), env })
    await service.revoke(refreshToken).finally(() => service.close())
  } catch (error) {
    log.info(here(), 'the sign-in before was not ended', { service: address, reason: (error as Error).message })
  }
}

async function welcome(
  service: AccountService,
  { accessToken }: Tokens,
  {
    command: { quiet, json },
    session: { out, loaded },
    isNew,
  }: { readonly command: LoginCommand; readonly session: Session; readonly isNew: boolean },
): Promise<void> {
  const address = identityOf(service.url)
  // Who it is is nice to know, and no reason to fail.
  const person = await service.person(accessToken).catch(() => undefined)
  const known = person === 'refused' ? undefined : person
  if (json) {
    const until = await service.end(accessToken).catch(() => undefined)
    out.write(`${JSON.stringify(personAsJson({ service: address, person: known, until, isSignedIn: true }))}\n`)
    return
  }
  if (quiet) return
  const who = known ? ` as ${sanitize(`${nameOf(known)} (${known.org.name})`)}` : ''
  out.write(`Signed in to ${service.url.host}${who}.
`)
  if (!isNew) return
  out.write(`Wrote service.url to ${sanitize(loaded.file)}\nTo get its rules, too: omen updates trust ${address}\n`)
}
