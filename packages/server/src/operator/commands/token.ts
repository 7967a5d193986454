import { readableMoment, readExpiry } from '../moments.js'
import type { TokenRecord } from '../release-operations.js'
import { formatFields, formatTable, onOneLine } from '../table.js'
import { type CommandContext, print } from './context.js'

export interface TokenOptions {
  readonly org: string
  readonly name: string
  readonly scope?: string
  readonly expires?: string
}

/** `omen-server token issue`: prints a new token, the only time that it is shown. */
export async function issueToken(context: CommandContext, { org, name, scope, expires }: TokenOptions): Promise<void> {
  const request = {
    org,
    name,
    ...(scope !== undefined && { scope }),
    ...(expires !== undefined && { expires: readExpiry(expires, context.clock(), 'token') }),
  }
  const issued = await context.reach.run((operations) => operations.issueToken(request))
  print(context, issued, ({ token, scopes, expires: day }) => {
    const fields = formatFields([
      ['Token', token],
      ['For', org],
      ['Name', name],
      ['Scopes', scopes.join(', ')],
      ['Expires', day === undefined ? 'never' : `${day}: it works until that day begins (UTC)`],
    ])
    return `${fields}\nThis is the only time that the token is shown.\n`
  })
}

/** `omen-server token list` */
export async function listTokens(context: CommandContext): Promise<void> {
  const tokens = await context.reach.run((operations) => operations.listTokens())
  const example = 'omen-server token issue --org "Acme" --name ci'
  print(context, tokens, () => (tokens.length > 0 ? renderTokens(tokens) : `No tokens yet. To issue one: ${example}\n`))
}

function renderTokens(tokens: readonly TokenRecord[]): string {
  const rows = tokens.map(({ id, org, name, scopes, state, expires, issuedAt }) => [
    id,
    org,
    name,
    scopes.join(','),
    state,
    expires ?? 'never',
    readableMoment(issuedAt),
  ])
  return formatTable(['ID', 'ORGANIZATION', 'NAME', 'SCOPES', 'STATE', 'EXPIRES', 'ISSUED (UTC)'], rows)
}

/** `omen-server token revoke`: takes the token or its id. */
export async function revokeToken(context: CommandContext, token: string): Promise<void> {
  const revoked = await context.reach.run((operations) => operations.revokeToken(token))
  print(context, revoked, ({ id, org, name }) => `Revoked the token ${id} (${onOneLine(name)}) of ${onOneLine(org)}.\n`)
}
