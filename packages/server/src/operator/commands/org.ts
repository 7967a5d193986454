import { quote } from '@omen/engine/messages'
import { Failure } from '../../failure.js'
import { readableMoment } from '../moments.js'
import type { OrganizationDetails, OrganizationRecord } from '../operations.js'
import { formatFields, formatTable, onOneLine } from '../table.js'
import { renderCodes } from './code.js'
import { type CommandContext, print } from './context.js'

/** `omen-server org list` */
export async function listOrganizations(context: CommandContext): Promise<void> {
  const organizations = await context.reach.run((operations) => operations.listOrganizations())
  print(context, organizations, () =>
    organizations.length > 0
      ? renderOrganizations(organizations)
      : 'No organizations yet: issuing the first code creates one.\n',
  )
}

function renderOrganizations(organizations: readonly OrganizationRecord[]): string {
  const rows = organizations.map(({ name, domains, connected, createdAt }) => [
    name,
    domains.join(', ') || 'none',
    connected ? 'yes' : 'no',
    readableMoment(createdAt),
  ])
  return formatTable(['ORGANIZATION', 'DOMAINS', 'CONNECTED', 'CREATED (UTC)'], rows)
}

/** `omen-server org show` */
export async function showOrganization(context: CommandContext, name: string): Promise<void> {
  const organization = await context.reach.run((operations) => operations.showOrganization(name))
  print(context, organization, renderOrganization)
}

function renderOrganization(organization: OrganizationDetails): string {
  const { name, domains, connected, createdAt, connectedAt, issuer, clientId, signInUri, codes } = organization
  const fields = formatFields([
    ['Organization', name],
    ['Created', `${readableMoment(createdAt)} UTC`],
    ['Domains', domains.join(', ') || 'none'],
    ['Connected', connectedAt === undefined ? (connected ? 'yes' : 'no') : `${readableMoment(connectedAt)} UTC`],
    ['Issuer', issuer ?? 'none'],
    ['Client ID', clientId ?? 'none'],
    ['Sign-in URI', signInUri ?? 'none'],
  ])
  return codes.length > 0 ? `${fields}\n${renderCodes(codes)}` : fields
}

/** `omen-server org remove`: asks first, unless `--yes` is given. */
export async function removeOrganization(context: CommandContext, name: string, isSure: boolean): Promise<void> {
  if (!isSure) await confirmRemoval(context, name)
  const removed = await context.reach.run((operations) => operations.removeOrganization(name))
  print(context, removed, ({ name: org, domains }) => {
    const freed = domains.length > 0 ? ` ${domains.join(', ')} can be connected again.` : ''
    return `Removed ${onOneLine(org)}. Its codes and tokens no longer work.${onOneLine(freed)}\n`
  })
}

async function confirmRemoval({ console }: CommandContext, name: string): Promise<void> {
  if (!console.canAsk) {
    throw new Failure('Usage', `no terminal to confirm the removal of ${quote(name)}: add --yes to confirm`)
  }
  console.error(`This removes ${onOneLine(name)}: its users can no longer sign in, its codes no longer work.\n`)
  const answer = await console.ask(`Type the name of the organization to continue: `)
  if (answer.trim() !== name.trim()) throw new Failure('Operator', 'the name does not match: nothing was removed')
}
