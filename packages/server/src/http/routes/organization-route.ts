import type { Administration } from '../../administration/administration.js'
import type { ProblemCode } from '../../problem.js'
import type { Settings } from '../../settings/settings.js'
import type { Gate } from '../administrator.js'

/** As people's sessions, on the host of sign-in and on that of the app. */
const HOST = ['base', 'app'] as const

/** What the routes of an organization are made of. */
export interface RouteParts {
  readonly administration: Administration
  readonly gate: Gate
  /** Gives a route its hosts, and describes it. */
  readonly describe: ReturnType<typeof createDescribe>
}

/**
 * Makes what all routes of an organization have in common.
 *
 * @example
 * app.get('/v1/org', { ...describe(READ_ORGANIZATION), handler })
 */
export function createDescribe({ baseUrl }: Pick<Settings, 'baseUrl'>) {
  return <S extends object>({ schema, problems }: { schema: S; problems: readonly ProblemCode[] }) => ({
    config: { host: HOST, problems },
    schema: { ...schema, servers: [{ url: baseUrl }] },
  })
}
