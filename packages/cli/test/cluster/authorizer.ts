import type { Resource } from './resources.js'
import { type Refusal, refuse } from './status.js'

/** A rule of a role: what may be done to what. */
export interface Rule {
  readonly verbs: readonly string[]
  /** `pods`, `pods/log`, `*` … */
  readonly resources: readonly string[]
  /** Everywhere where none is named. */
  readonly namespaces?: readonly string[]
}

/** Who may knock at the server with a token, and what they may do. */
export interface User {
  readonly name: string
  readonly rules: readonly Rule[]
}

export const ADMINISTRATOR: User = { name: 'admin', rules: [{ verbs: ['*'], resources: ['*'] }] }

/** The role of the scheduled job: pods and their logs, nothing else. */
export const READS_PODS: readonly Rule[] = [{ verbs: ['get', 'list', 'watch'], resources: ['pods', 'pods/log'] }]

/** What a request wants to do. */
export interface Attempt {
  readonly verb: string
  readonly resource: Resource
  readonly part: string | undefined
  readonly namespace: string | undefined
  readonly name: string | undefined
}

/** Why somebody may not do something; undefined when they may. The words are those of the real authorizer. */
export function authorize({ name: user, rules }: User, attempt: Attempt): Refusal | undefined {
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
  const what = `cannot ${verb} resource "${wanted}" in API group "${resource.group}" ${where}`
  return refuse(403, `${object} forbidden: User "${user}" ${what}`)
}

function includes(list: readonly string[], word: string): boolean {
  return list.includes('*') || list.includes(word)
}
