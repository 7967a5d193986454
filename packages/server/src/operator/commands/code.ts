import { dayOf, inDays, readableMoment, readExpiry } from '../moments.js'
import type { CodeRecord, IssuedCode } from '../operations.js'
import { formatFields, formatTable, onOneLine } from '../table.js'
import { type CommandContext, print } from './context.js'

export interface IssueOptions {
  readonly org: string
  readonly expires: string
  readonly domain?: string
}

/** `omen-server code issue`: prints a new code, the only time that it is shown. */
export async function issueCode(context: CommandContext, { org, expires, domain }: IssueOptions): Promise<void> {
  const request = { org, expires: readExpiry(expires, context.clock()), ...(domain === undefined ? {} : { domain }) }
  const { issued, onboardUrl } = await context.reach.run(async (operations, place) => ({
    issued: await operations.issueCode(request),
    onboardUrl: place.onboardUrl,
  }))
  print(context, issued, (code) => renderIssued(code, onboardUrl))
}

function renderIssued({ code, org, expires, domain }: IssuedCode, onboardUrl: string): string {
  const fields = formatFields([
    ['Code', code],
    ['For', org],
    ['Domain', domain === undefined ? 'any' : `${domain} only`],
    ['Expires', `${expires}: it works until that day begins (UTC)`],
  ])
  return `${fields}
This is the only time that the code is shown. Give it to the administrator of ${onOneLine(org)}, who continues at
  ${onboardUrl}/#code=${code}
or with
  curl '${onboardUrl}/v1/auth/validate?code=${code}'
`
}

/** `omen-server code list` */
export async function listCodes(context: CommandContext): Promise<void> {
  const codes = await context.reach.run((operations) => operations.listCodes())
  const example = `omen-server code issue --org "Acme" --expires ${dayOf(inDays(context.clock(), 30))}`
  print(context, codes, () => (codes.length > 0 ? renderCodes(codes) : `No codes yet. To issue one: ${example}\n`))
}

/** Codes as a table. The codes themselves are not stored. */
export function renderCodes(codes: readonly CodeRecord[]): string {
  const rows = codes.map(({ id, org, domain, expires, state, issuedAt }) => [
    id,
    org,
    domain ?? 'any',
    state,
    expires,
    readableMoment(issuedAt),
  ])
  return formatTable(['ID', 'ORGANIZATION', 'DOMAIN', 'STATE', 'EXPIRES', 'ISSUED (UTC)'], rows)
}

/** `omen-server code revoke`: takes the code or its id. */
export async function revokeCode(context: CommandContext, code: string): Promise<void> {
  const revoked = await context.reach.run((operations) => operations.revokeCode(code))
  print(
    context,
    revoked,
    ({ id, org }) => `Revoked the code ${id} of ${onOneLine(org)}. Its tokens no longer work either.\n`,
  )
}
