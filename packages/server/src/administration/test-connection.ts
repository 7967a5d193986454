import { recordAudit } from '../audit/audit.js'
import type { Provider } from '../discovery/provider.js'
import { encryptSecret } from '../keys/secrets.js'
import { encryptionKey } from '../onboarding/complete.js'
import { judgeSignIn } from '../onboarding/finish-test.js'
import type { Caller, Return, TestOutcome } from '../onboarding/onboarding.js'
import { callerDetail, signInUri } from '../onboarding/parts.js'
import { TEST_MINUTES } from '../onboarding/start-test.js'
import { Problem } from '../problem.js'
import { after, loginVerifierPlace, openSecret, UUID } from '../sessions/parts.js'
import { hashText, isRandomText, randomText } from '../signin/begin-authorization.js'
import type { Queries } from '../store/database.js'
import { insertLogin, isKnownTest, keepLatestTestLogins, type TakenTestLogin, takeTestLogin } from '../store/logins.js'
import { holdOrganization } from '../store/organizations.js'
import { findRealm } from '../store/realms.js'
import {
  findOrganizationOfLink,
  findReplacementById,
  finishReplacementTest,
  lockReplacement,
  type Replacement,
  startReplacementTest,
} from '../store/replacements.js'
import type { By } from './administration.js'
import { admitReplacement } from './admit-replacement.js'
import { type AdministrationParts, changeAs, replacementSecretPlace } from './parts.js'
import { replacementStateAt } from './states.js'

/** Tabs in which one test may be under way at once. */
const MOST_LOGINS = 5

const BACK = 'Go back to the page of the connection and start the test again.'

/** Gives the address at which a browser signs in once through the next connection. A test before it ends. */
export async function startConnectionTest(parts: AdministrationParts, by: By): Promise<{ readonly url: string }> {
  const link = randomText()
  await changeAs(parts, by, async ({ queries, now, record }) => {
    const next = admitReplacement(await lockReplacement<Provider>(queries, by.person.organizationId), 'test', now)
    const end = Math.min(after(now, TEST_MINUTES * 60_000).getTime(), next.expiresAt.getTime())
    await startReplacementTest(queries, next.id, { linkHash: hashText(link), expiresAt: new Date(end) })
    await record('connection.test_started', { replacement: next.id, issuer: next.issuer, client_id: next.clientId })
  })
  return { url: `${parts.urls.baseUrl}/v1/auth/test/${link}` }
}

/**
 * Sends a browser to the identity provider for a test, as often as it comes while the test is under way. Undefined when the
 * link is none of such a test.
 */
export async function beginTest(
  parts: AdministrationParts,
  link: string,
  browser: string,
): Promise<string | undefined> {
  if (!isRandomText(link)) return undefined
  const linkHash = hashText(link)
  const organizationId = await findOrganizationOfLink(parts.database, linkHash)
  if (organizationId === undefined) return undefined
  return parts.database.transaction((queries) =>
    beginNow(queries, parts, { organizationId, linkHash, browserHash: hashText(browser) }),
  )
}

interface Beginning {
  readonly organizationId: string
  readonly linkHash: string
  readonly browserHash: string
}

/** The organization is locked first, then the key, as by everybody: two who lock in different orders could wait for each other. */
async function beginNow(
  queries: Queries,
  parts: AdministrationParts,
  { organizationId, linkHash, browserHash }: Beginning,
): Promise<string> {
  await holdOrganization(queries, organizationId)
  const realm = await findRealm<Provider>(queries, organizationId)
  const key = await encryptionKey(queries, parts.keys)
  const next = await lockReplacement<Provider>(queries, organizationId)
  const now = parts.clock()
  if (!realm || next?.linkHash !== linkHash || replacementStateAt(next, now) !== 'testing') throw testIsOver()
  const { callbackId } = realm
  const client = { clientId: next.clientId, redirectUri: signInUri(parts, callbackId) }
  const { url, state, nonce, verifier } = parts.signIn.begin(next.provider, client)
  const stateHash = hashText(state)
  await insertLogin(queries, {
    stateHash,
    organizationId,
    callbackId,
    issuer: next.issuer,
    clientId: next.clientId,
    replacementId: next.id,
    browserHash,
    nonce,
    encryptedVerifier: encryptSecret(key, verifier, loginVerifierPlace(stateHash)),
    target: connectionPage(parts),
    begunAt: now,
    expiresAt: next.testExpiresAt!,
  })
  await keepLatestTestLogins(queries, { replacementId: next.id, stateHash, most: MOST_LOGINS })
  return url
}

/** Where an administrator sees what came of a test. */
export function connectionPage({ urls }: Pick<AdministrationParts, 'urls'>): string {
  return `${urls.appUrl}/organization/connection`
}

/**
 * A browser comes back from the identity provider. State, address and browser are those that it left with, or nothing happens;
 * the state is used up before the provider is asked, so one sign-in has one outcome however often its callback is called. It
 * makes no account and no session. Undefined when the state is not of such a test.
 */
export async function finishTest(
  parts: AdministrationParts,
  back: Return,
  caller: Caller,
): Promise<TestOutcome | undefined> {
  const [state] = back.query.getAll('state')
  if (!isRandomText(state) || !UUID.test(back.callbackId)) return undefined
  const login = await takeTest(parts, back, hashText(state))
  if (login === undefined) return undefined
  const next = await findReplacementById<Provider>(parts.database, login.replacementId)
  const realm = next && (await findRealm<Provider>(parts.database, next.organizationId))
  if (!realm || replacementStateAt(next, parts.clock()) !== 'testing') throw nothingWaits()
  const clientSecret = await openSecret(parts.keys, next.encryptedSecret, replacementSecretPlace(next.id))
  const { clientId, authMethod, provider } = next
  const found = await parts.signIn.redeem({
    provider,
    client: { clientId, clientSecret, authMethod, redirectUri: signInUri(parts, back.callbackId) },
    expected: {
      state,
      nonce: login.nonce,
      verifier: await openSecret(parts.keys, login.encryptedVerifier, loginVerifierPlace(hashText(state))),
    },
    query: back.query,
  })
  const outcome = judgeSignIn(found, realm.domains)
  await save(parts, { next, organization: realm.organization, outcome, caller })
  return outcome
}

async function takeTest(
  { database, clock }: AdministrationParts,
  { callbackId, query, browser }: Return,
  stateHash: string,
): Promise<TakenTestLogin | undefined> {
  const now = clock()
  const isOne = query.getAll('state').length === 1
  const login =
    isOne && isRandomText(browser)
      ? await takeTestLogin(database, { stateHash, callbackId, browserHash: hashText(browser) }, now)
      : undefined
  if (login === undefined && (await isKnownTest(database, { stateHash, callbackId }, now))) throw otherBrowser()
  return login
}

interface Finished {
  readonly next: Replacement<Provider>
  readonly organization: string
  readonly outcome: TestOutcome
  readonly caller: Caller
}

/** The first outcome of a test is the one that stands, and only while its replacement is the one that was tested. */
async function save(
  { database, clock }: AdministrationParts,
  { next, organization, outcome, caller }: Finished,
): Promise<void> {
  await database.transaction(async (queries) => {
    await holdOrganization(queries, next.organizationId)
    const locked = await lockReplacement<Provider>(queries, next.organizationId)
    const now = clock()
    const event = outcome.status === 'passed' ? 'pass' : 'fail'
    const { id } = admitReplacement(locked?.id === next.id ? locked : undefined, event, now)
    const result =
      outcome.status === 'passed'
        ? { status: outcome.status, testedAs: outcome.email, detail: undefined }
        : { status: outcome.status, testedAs: undefined, detail: outcome.detail }
    if (!(await finishReplacementTest(queries, { id, linkHash: next.linkHash! }, result))) throw nothingWaits()
    await recordAudit(queries, {
      at: now,
      actor: 'visitor',
      action: 'connection.tested',
      org: organization,
      detail: {
        replacement: id,
        status: outcome.status,
        ...(outcome.status === 'passed' ? { email: outcome.email } : { reason: outcome.reason }),
        ...callerDetail(caller),
      },
    })
  })
}

function testIsOver(): Problem {
  return new Problem('not_found', `This test is over, or a later one has taken its place. ${BACK}`)
}

function nothingWaits(): Problem {
  return new Problem('bad_request', `No sign-in waits here: it is over already, or it took too long. ${BACK}`)
}

/** Also what somebody is told who was sent here by somebody else: nothing happens in their name. */
function otherBrowser(): Problem {
  return new Problem(
    'bad_request',
    `This sign-in was not begun in this browser, or its cookie was not kept. Allow cookies for this site. ${BACK}`,
  )
}
