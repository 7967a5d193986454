import type { Clock } from '../clock.js'
import type { LoadedSettings } from '../settings/load-settings.js'
import { showAudit } from './commands/audit.js'
import { issueCode, listCodes, revokeCode } from './commands/code.js'
import { showConfig } from './commands/config.js'
import type { CommandContext } from './commands/context.js'
import { manageReleaseKeys, rotateKeys, rotateSigningKey } from './commands/keys.js'
import { listOrganizations, removeOrganization, showOrganization } from './commands/org.js'
import { listReleases, packRules, publishRules, withdrawRelease } from './commands/rules.js'
import { issueToken, listTokens, revokeToken } from './commands/token.js'
import { publishTool } from './commands/tool.js'
import { listUsers, releaseUser, removeUser, setUserRole } from './commands/user.js'
import type { Console } from './console.js'
import type { Request } from './program.js'
import { createReach, type OpenedOperations } from './reach.js'
import type { ReleaseRequest } from './release-program.js'

/** The requests of the operator's commands. */
export type OperatorRequest = Exclude<Request, { readonly verb: 'serve' | 'version' }>

export interface CommandOptions {
  readonly loaded: LoadedSettings
  readonly console: Console
  readonly clock: Clock
  readonly open: () => Promise<OpenedOperations>
  readonly pause: (milliseconds: number) => Promise<void>
}

/**
 * Runs one of the operator's commands to its end. Rejects with a `Failure` or a `Problem` that says what is wrong.
 *
 * @example
 * await runCommand({ verb: 'code list', json: true }, { loaded, console, clock, open, pause })
 */
export async function runCommand(request: OperatorRequest, options: CommandOptions): Promise<void> {
  const { loaded, console, clock, open, pause } = options
  const reach = createReach({ settings: loaded.settings, open, pause })
  try {
    await dispatch(request, { console, clock, loaded, reach, pause, json: request.json })
  } finally {
    await reach.close()
  }
}

async function dispatch(request: OperatorRequest, context: CommandContext): Promise<void> {
  switch (request.verb) {
    case 'config':
      return showConfig(context)
    case 'code issue':
      return issueCode(context, request)
    case 'code list':
      return listCodes(context)
    case 'code revoke':
      return revokeCode(context, request.code)
    case 'org list':
      return listOrganizations(context)
    case 'org show':
      return showOrganization(context, request.name)
    case 'org remove':
      return removeOrganization(context, request.name, request.yes)
    case 'user list':
      return listUsers(context, request.org)
    case 'user role':
      return setUserRole(context, request.email, request.role)
    case 'user release':
      return releaseUser(context, request.email)
    case 'user remove':
      return removeUser(context, request.email)
    case 'audit':
      return showAudit(context, request)
    case 'keys rotate':
      return rotateKeys(context)
    case 'keys rotate-signing':
      return rotateSigningKey(context, request.endTokens)
    default:
      return runReleaseCommand(context, request)
  }
}

/** Runs one of the commands that are about releases. */
export async function runReleaseCommand(context: CommandContext, request: ReleaseRequest): Promise<void> {
  switch (request.verb) {
    case 'rules pack':
      return packRules(context, request.folder, request)
    case 'rules publish':
      return publishRules(context, request.file, request)
    case 'rules list':
      return listReleases(context, 'rules')
    case 'rules withdraw':
      return withdrawRelease(context, 'rules', request)
    case 'tool publish':
      return publishTool(context, request.files, request)
    case 'tool list':
      return listReleases(context, 'tool')
    case 'tool withdraw':
      return withdrawRelease(context, 'tool', request)
    case 'keys release':
      return manageReleaseKeys(context, request)
    case 'token issue':
      return issueToken(context, request)
    case 'token list':
      return listTokens(context)
    case 'token revoke':
      return revokeToken(context, request.token)
  }
}
