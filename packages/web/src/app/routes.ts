/** Every page of the app: its address, and who it is for. `:id` stands for one part of the path. */
export const ROUTES = {
  home: { path: '/', for: 'everybody signed in' },
  rules: { path: '/rules', for: 'everybody' },
  rule: { path: '/rules/:id', for: 'everybody' },
  sessions: { path: '/sessions', for: 'everybody signed in' },
  members: { path: '/organization/members', for: 'administrators' },
  domains: { path: '/organization/domains', for: 'administrators' },
  connection: { path: '/organization/connection', for: 'administrators' },
  tokens: { path: '/organization/tokens', for: 'administrators' },
  audit: { path: '/organization/audit', for: 'administrators' },
} as const

export type RouteName = keyof typeof ROUTES

export interface Place {
  readonly name: RouteName
  /** What stands for `:id`; empty where the path has none. */
  readonly id: string
}

/**
 * Finds the page of a path; undefined when there is none.
 *
 * @example
 * findPlace('/rules/CRE-2026-10001') // { name: 'rule', id: 'CRE-2026-10001' }
 */
export function findPlace(path: string): Place | undefined {
  const parts = partsOf(path)
  if (parts.join('/') === 'organization') return { name: 'members', id: '' }
  for (const name of Object.keys(ROUTES) as RouteName[]) {
    const pattern = partsOf(ROUTES[name].path)
    if (pattern.length !== parts.length) continue
    if (pattern.every((part, at) => part === ':id' || part === parts[at])) {
      return { name, id: decoded(parts[pattern.indexOf(':id')] ?? '') }
    }
  }
  return undefined
}

/**
 * The address of a page.
 *
 * @example
 * pathTo('rule', 'ACME 1/2') // '/rules/ACME%201%2F2'
 */
export function pathTo(name: RouteName, id = ''): string {
  return ROUTES[name].path.replace(':id', encodeURIComponent(id))
}

const partsOf = (path: string) => path.split('/').filter((part) => part !== '')

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
