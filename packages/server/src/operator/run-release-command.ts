import type { CommandContext } from './commands/context.js'
import { manageReleaseKeys } from './commands/release-keys.js'
import { listReleases, packRules, publishRules, withdrawRelease } from './commands/rules.js'
import { issueToken, listTokens, revokeToken } from './commands/token.js'
import { publishTool } from './commands/tool.js'
import type { ReleaseRequest } from './release-program.js'

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
