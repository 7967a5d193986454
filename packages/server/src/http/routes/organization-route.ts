import type { ProblemCode } from '../../problem.js'

/** As people's sessions, on the host of sign-in and on that of the app. */
const HOST = ['base', 'app'] as const

/** Gives a route of an organization its hosts, and describes it. */
export function described<S extends object>({ schema, problems }: { schema: S; problems: readonly ProblemCode[] }) {
  return { config: { host: HOST, problems }, schema }
}
