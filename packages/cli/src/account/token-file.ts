import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { writeFileAtomically } from '../output/write-file.js'
import { readTokenLine } from '../settings/rule-token.js'

/** What `omen login` obtained. */
export interface SignIn {
  /** The service that gave it, and the only one that sees it. */
  readonly service: string
  readonly accessToken: string
  /** Good once: for the next pair. */
  readonly refreshToken: string
  /** When the access token ends, by the clock of this machine, in milliseconds since 1970. */
  readonly expiresAt: number
}

/** A token that somebody put there by hand, as an operator issues it. */
export interface IssuedToken {
  readonly token: string
}

/** What a service hands out. The anonymous token of an installation has no such beginning, and is shown to nobody. */
const ISSUED = /^omen_/

/** As a header has room for, and without what would end it. */
const TOKEN = /^[\w\-.~+/]{1,2048}=*$/

/** An access token this close to its end is renewed: it has to last for what it is wanted for. */
const NEARLY_OVER = 30_000

/**
 * What stands in `.ruletoken`: a sign-in, a token that was issued, or undefined for the anonymous token of the installation and for
 * whatever else. A sign-in is an object of JSON in one line without blanks: for an older omen it is one more anonymous token,
 * which is shown to nobody.
 *
 * @example
 * readTokens('/home/ada/.preq') // { service: 'https://omen.example.com', accessToken: 'omen_at_…', … }
 */
export function readTokens(folder: string): SignIn | IssuedToken | undefined {
  const line = readTokenLine(folder)
  if (line === undefined) return undefined
  return ISSUED.test(line) ? { token: line } : parseSignIn(line)
}

/** Only the sign-in. */
export function readSignIn(folder: string): SignIn | undefined {
  const found = readTokens(folder)
  return found && 'service' in found ? found : undefined
}

function parseSignIn(line: string): SignIn | undefined {
  if (!line.startsWith('{')) return undefined
  try {
    const { service, access_token, refresh_token, expires_at } = JSON.parse(line)
    const expiresAt = Date.parse(expires_at)
    const isWhole =
      isToken(access_token) &&
      isToken(refresh_token) &&
      typeof service === 'string' &&
      /^https?:/.test(service) &&
      URL.canParse(service)
    if (!isWhole || Number.isNaN(expiresAt)) return undefined
    return { service, accessToken: access_token, refreshToken: refresh_token, expiresAt }
  } catch {
    return undefined
  }
}

/** Whether a text can be a token at all. */
export function isToken(value: unknown): value is string {
  return typeof value === 'string' && TOKEN.test(value)
}

/** Whether it is time for the next access token. */
export function isOver({ expiresAt }: SignIn, now: number): boolean {
  return now >= expiresAt - NEARLY_OVER
}

export function tokenPath(folder: string): string {
  return join(folder, '.ruletoken')
}

/** Keeps a sign-in: whoever reads meanwhile sees the one before or this one, and nobody but its owner does. */
export async function writeSignIn(folder: string, signIn: SignIn): Promise<void> {
  const { service, accessToken, refreshToken, expiresAt } = signIn
  const line = JSON.stringify({
    service,
    access_token: accessToken,
    refresh_token: refreshToken,
    expires_at: new Date(expiresAt).toISOString(),
  })
  await writeFileAtomically(tokenPath(folder), [`${line}\n`], { mode: 0o600 })
}

export function removeTokens(folder: string): void {
  rmSync(tokenPath(folder), { force: true })
  for (const name of leftoversIn(folder)) rmSync(join(folder, name), { force: true })
}

/** What a process has left that was killed while it wrote tokens: nobody is to find them after a sign-out. */
function leftoversIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => /^\.\.ruletoken\.\w+\.tmp$/.test(name))
  } catch {
    return []
  }
}
