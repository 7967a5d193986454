import { ApiError } from './api/api.js'
import { type ApiDeps, list, requestJson } from './api/requests.js'
import { type Pod, readPod } from './pod.js'
import type { Target } from './target.js'
import { type Kind, POD } from './target.js'

/** One namespace, or all of them. */
export type Where = { readonly namespace: string } | 'everywhere'

export interface FoundPods {
  readonly pods: readonly Pod[]
  /** The object may not be read: its pods were found by their owners and labels. */
  readonly isGuess: boolean
}

/** Only the selector of a service defines its pods: a pod does not name its services. */
export class NeedsSelector extends Error {
  override readonly name = 'NeedsSelector'
}

/** The object has no selector. */
export class NoSelector extends Error {
  override readonly name = 'NoSelector'
}

/** Lists the pods that a selector matches; all pods without one. */
export function podsBySelector(deps: ApiDeps, where: Where, selector: string | undefined): Promise<Pod[]> {
  const path = where === 'everywhere' ? '/api/v1/pods' : pathOf(POD, where.namespace)
  return list(deps, path, selector === undefined ? {} : { labelSelector: selector }, readPod)
}

/**
 * Finds the pods of a target: the pod itself, or those that the object's selector matches. Permission to read pods is enough except for
 * services, because pods name their owners.
 *
 * @example
 * const { pods } = await findPods(deps, { kind: deployment, name: 'web' }, 'shop')
 */
export async function findPods(deps: ApiDeps, { kind, name }: Target, namespace: string): Promise<FoundPods> {
  if (kind.pods === 'itself') {
    const pod = readPod(await requestJson(deps, `${pathOf(kind, namespace)}/${name}`))
    return { pods: pod ? [pod] : [], isGuess: false }
  }
  const object = await readUnlessForbidden(deps, kind, name, namespace)
  if (object === undefined) return { pods: await podsOfOwner(deps, kind, name, namespace), isGuess: true }
  if (kind.pods === 'jobs') return { pods: await podsOfJobs(deps, kind, name, namespace), isGuess: false }
  const selector = readSelector(object)
  if (selector === undefined) throw new NoSelector()
  const pods = await podsBySelector(deps, { namespace }, selector)
  return { pods: kind.owner === undefined ? pods : ownOnly(pods, kind, name), isGuess: false }
}

/** Selectors may overlap: removes the pods that name another owner of the same kind. */
function ownOnly(pods: readonly Pod[], kind: Kind, name: string): readonly Pod[] {
  const others = pods.filter(
    (pod) => pod.owners.some((owner) => owner.kind === kind.owner) && !isOwned(pod, kind, name),
  )
  return pods.filter((pod) => !others.includes(pod))
}

export function pathOf({ api, plural }: Kind, namespace: string): string {
  return `${api}/namespaces/${namespace}/${plural}`
}

async function readUnlessForbidden(deps: ApiDeps, kind: Kind, name: string, namespace: string): Promise<unknown> {
  try {
    return await requestJson(deps, `${pathOf(kind, namespace)}/${name}`)
  } catch (error) {
    if (!(error instanceof ApiError) || !isUnreadable(error, name)) throw error
    if (kind.owner === undefined) throw new NeedsSelector(error.message, { cause: error })
    return undefined
  }
}

/** Either permission is missing, or the cluster is too old for this API: CronJobs need 1.21. */
function isUnreadable({ status, message }: ApiError, name: string): boolean {
  return status === 403 || (status === 404 && !message.includes(`"${name}" not found`))
}

async function podsOfOwner(deps: ApiDeps, kind: Kind, name: string, namespace: string): Promise<readonly Pod[]> {
  const pods = await podsBySelector(deps, { namespace }, undefined)
  return pods.filter((pod) => isOwned(pod, kind, name))
}

/** Whether a pod names the object as its owner, or an owner whose name shows that the object owns it. */
function isOwned({ owners, labels }: Pod, kind: Kind, name: string): boolean {
  const isOwner = OWNER_NAMES[kind.name] ?? isSame
  return owners.some((owner) => owner.kind === kind.owner && isOwner(owner.name, name, labels))
}

type OwnerTest = (owner: string, name: string, labels: Readonly<Record<string, string>>) => boolean

const isSame: OwnerTest = (owner, name) => owner === name

/** Deployments own replica sets, and cron jobs own jobs: their names contain the name of the owner. */
const OWNER_NAMES: Readonly<Record<string, OwnerTest>> = {
  deployment: (owner, name, labels) => owner === `${name}-${labels['pod-template-hash']}`,
  // The suffix is the scheduled minute since 1970.
  cronjob: (owner, name) => owner.startsWith(`${name}-`) && /^\d{8,10}$/.test(owner.slice(name.length + 1)),
}

async function podsOfJobs(deps: ApiDeps, kind: Kind, name: string, namespace: string): Promise<readonly Pod[]> {
  const jobs = await jobsOf(deps, name, namespace).catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 403) return undefined
    throw error
  })
  if (jobs === undefined) return podsOfOwner(deps, kind, name, namespace)
  if (jobs.length === 0) return []
  const pods = await podsBySelector(deps, { namespace }, `job-name in (${jobs.join(',')})`)
  return pods.filter(({ owners }) => owners.some((owner) => owner.kind === 'Job' && jobs.includes(owner.name)))
}

function jobsOf(deps: ApiDeps, cronJob: string, namespace: string): Promise<string[]> {
  return list(deps, `/apis/batch/v1/namespaces/${namespace}/jobs`, {}, (item) => {
    const { metadata } = item as { metadata?: { name?: unknown; ownerReferences?: unknown } }
    const owners = Array.isArray(metadata?.ownerReferences) ? metadata.ownerReferences : []
    const isOwn = owners.some((owner) => owner?.kind === 'CronJob' && owner?.name === cronJob)
    return isOwn && typeof metadata?.name === 'string' ? metadata.name : undefined
  })
}

/** The operators of `matchExpressions` in the syntax of a query. */
const OPERATORS: Readonly<Record<string, (key: string, values: string) => string>> = {
  In: (key, values) => `${key} in (${values})`,
  NotIn: (key, values) => `${key} notin (${values})`,
  Exists: (key) => key,
  DoesNotExist: (key) => `!${key}`,
}

/**
 * The selector of an object in the syntax of `labelSelector=`; undefined if it has none, like a service for something outside the
 * cluster.
 *
 * @example
 * readSelector({ spec: { selector: { matchLabels: { app: 'web' } } } }) // 'app=web'
 */
export function readSelector(object: unknown): string | undefined {
  const selector = (object as { spec?: { selector?: unknown } } | null)?.spec?.selector
  if (typeof selector !== 'object' || selector === null) return undefined
  const { matchLabels, matchExpressions } = selector as { matchLabels?: unknown; matchExpressions?: unknown }
  // The selector of services and replication controllers consists of labels.
  const isPlain = matchLabels === undefined && matchExpressions === undefined
  const labels = Object.entries((isPlain ? selector : matchLabels) ?? {}).map(([key, value]) => `${key}=${value}`)
  const expressions = Array.isArray(matchExpressions) ? matchExpressions.flatMap(readExpression) : []
  const requirements = [...labels, ...expressions]
  return requirements.length === 0 ? undefined : requirements.join(',')
}

function readExpression(expression: unknown): readonly string[] {
  const { key, operator, values } = (expression ?? {}) as { key?: unknown; operator?: unknown; values?: unknown }
  const write = Object.hasOwn(OPERATORS, String(operator)) ? OPERATORS[String(operator)] : undefined
  if (typeof key !== 'string' || !write) return []
  return [write(key, Array.isArray(values) ? values.join(',') : '')]
}
