/** Every page of the app: its path and its audience. `:id` matches one path segment. */
export const ROUTES = {
  home: { path: '/', for: 'signed-in users' },
  rules: { path: '/rules', for: 'everyone' },
  rule: { path: '/rules/:id', for: 'everyone' },
  sessions: { path: '/sessions', for: 'signed-in users' },
  members: { path: '/organization/members', for: 'administrators' },
  domains: { path: '/organization/domains', for: 'administrators' },
  connection: { path: '/organization/connection', for: 'administrators' },
  tokens: { path: '/organization/tokens', for: 'administrators' },
  audit: { path: '/organization/audit', for: 'administrators' },
} as const

export type RouteName = keyof typeof ROUTES

export interface RouteMatch {
  readonly name: RouteName
  /** The segment that matched `:id`; empty for a path without it. */
  readonly id: string
}

/**
 * Finds the route of a path; undefined when there is none.
 *
 * @example
 * matchRoute('/rules/CRE-2026-10001') // { name: 'rule', id: 'CRE-2026-10001' }
 */
export function matchRoute(path: string): RouteMatch | undefined {
  const segments = segmentsOf(path)
  if (segments.join('/') === 'organization') return { name: 'members', id: '' }
  for (const name of Object.keys(ROUTES) as RouteName[]) {
    const pattern = segmentsOf(ROUTES[name].path)
    if (pattern.length !== segments.length) continue
    if (pattern.every((segment, index) => segment === ':id' || segment === segments[index])) {
      return { name, id: decoded(segments[pattern.indexOf(':id')] ?? '') }
    }
  }
  return undefined
}

/**
 * The path of a page.
 *
 * @example
 * pathTo('rule', 'ACME 1/2') // '/rules/ACME%201%2F2'
 */
export function pathTo(name: RouteName, id = ''): string {
  return ROUTES[name].path.replace(':id', encodeURIComponent(id))
}

const segmentsOf = (path: string) => path.split('/').filter((segment) => segment !== '')

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
