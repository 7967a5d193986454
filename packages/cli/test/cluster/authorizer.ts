import type { Resource } from './resources.js'
import { type StatusError, statusError } from './status.js'

/** A rule of a role. */
export interface Rule {
  readonly verbs: readonly string[]
  /** `pods`, `pods/log`, `*` … */
  readonly resources: readonly string[]
  /** All namespaces without it. */
  readonly namespaces?: readonly string[]
}

/** A user and the user's permissions. */
export interface User {
  readonly name: string
  readonly rules: readonly Rule[]
}

export const ADMINISTRATOR: User = { name: 'admin', rules: [{ verbs: ['*'], resources: ['*'] }] }

/** The role of the scheduled job: pods and their logs only. */
export const READS_PODS: readonly Rule[] = [{ verbs: ['get', 'list', 'watch'], resources: ['pods', 'pods/log'] }]

/** The operation of a request. */
export interface Attempt {
  readonly verb: string
  readonly resource: Resource
  readonly part: string | undefined
  readonly namespace: string | undefined
  readonly name: string | undefined
}

/** The error of the real authorizer; undefined if the operation is allowed. */
export function authorize({ name: user, rules }: User, attempt: Attempt): StatusError | undefined {
  const { verb, resource, part, namespace, name } = attempt
  const wanted = part === undefined ? resource.plural : `${resource.plural}/${part}`
  const isAllowed = rules.some(
    (rule) =>
      includes(rule.verbs, verb) &&
      includes(rule.resources, wanted) &&
      (rule.namespaces === undefined || (namespace !== undefined && rule.namespaces.includes(namespace))),
  )
  if (isAllowed) return undefined
  const group = resource.group === '' ? '' : `.${resource.group}`
  const object = name === undefined ? `${resource.plural}${group} is` : `${resource.plural}${group} "${name}" is`
  const where = namespace === undefined ? 'at the cluster scope' : `in the namespace "${namespace}"`
  const reason = `cannot ${verb} resource "${wanted}" in API group "${resource.group}" ${where}`
  return statusError(403, `${object} forbidden: User "${user}" ${reason}`)
}

function includes(list: readonly string[], word: string): boolean {
  return list.includes('*') || list.includes(word)
}
