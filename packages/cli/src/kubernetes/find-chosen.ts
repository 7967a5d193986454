import { nearest, quote } from '@omen/engine/messages'
import { Failure } from '../failure.js'
import { ApiError } from './api/api.js'
import type { ApiDeps } from './api/requests.js'
import { list } from './api/requests.js'
import { type Attempt, explainError, roleThatHelps } from './explain.js'
import { findPods, NeedsSelector, NoSelector, pathOf, podsBySelector, type Where } from './find-pods.js'
import type { Pod } from './pod.js'
import { nameOf, POD, type Target } from './target.js'

/** A connected cluster, and the namespace of objects without one. */
export interface OpenCluster {
  readonly deps: ApiDeps
  readonly namespace: string
}

/** How pods are selected without targets. */
export interface PodSelection {
  readonly selector: string | undefined
  readonly allNamespaces: boolean
}

export interface ChosenPods {
  readonly pods: readonly Pod[]
  /** Targets that could not be found, if others were. */
  readonly problems: readonly string[]
  /** The target of each pod. */
  readonly targetOf: ReadonlyMap<Pod, string>
}

/**
 * Finds the pods of targets, of a selector, or of a whole namespace. Rejects with a `Failure` if there are none; if some of several
 * targets cannot be found, they are reported as problems.
 */
export async function findChosen(
  cluster: OpenCluster,
  targets: readonly Target[],
  choice: PodSelection,
): Promise<ChosenPods> {
  if (targets.length === 0) return findBySelector(cluster, choice)
  const found = new Map<string, Pod>()
  const targetOf = new Map<Pod, string>()
  const failures: Failure[] = []
  for (const target of targets) {
    try {
      for (const pod of await findTarget(cluster, target)) {
        const key = `${pod.namespace}/${pod.name}`
        if (found.has(key)) continue
        found.set(key, pod)
        targetOf.set(pod, nameOf(target))
      }
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      failures.push(error)
    }
  }
  if (found.size === 0) throw failures[0]!
  return { pods: [...found.values()], problems: failures.map(({ message }) => message), targetOf }
}

async function findBySelector({ deps, namespace }: OpenCluster, choice: PodSelection): Promise<ChosenPods> {
  const { selector, allNamespaces } = choice
  const where: Where = allNamespaces ? 'everywhere' : { namespace }
  const location = allNamespaces ? 'in any namespace' : `in the namespace ${namespace}`
  const pods = await podsBySelector(deps, where, selector).catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 400 && selector !== undefined) throw notASelector(selector)
    throw explainError(error, {
      verb: 'list',
      resource: 'pods',
      group: '',
      namespace: allNamespaces ? undefined : namespace,
    })
  })
  if (pods.length === 0) {
    const what = selector === undefined ? 'there is no pod' : `no pod matches ${quote(selector)}`
    throw new Failure('Data', `${what} ${location}`, {
      hint: allNamespaces ? 'List all pods: kubectl get pods -A --show-labels' : hintFor(namespace),
    })
  }
  const name = allNamespaces ? 'all namespaces' : namespace
  const targetOf = new Map(pods.map((pod) => [pod, selector === undefined ? name : `${selector} in ${name}`]))
  return { pods, problems: [], targetOf }
}

function notASelector(selector: string): Failure {
  return new Failure('Usage', `--selector: ${quote(selector)} is not a label selector`, {
    hint: 'Examples: app=web, app!=web, "tier in (front,back)"',
  })
}

function hintFor(namespace: string): string {
  return `Another namespace: -n <name>; all namespaces: -A. List the pods: kubectl get pods -n ${namespace} --show-labels`
}

async function findTarget({ deps, namespace }: OpenCluster, target: Target): Promise<readonly Pod[]> {
  try {
    const { pods, isGuess } = await findPods(deps, target, namespace)
    if (pods.length > 0) return pods
    throw isGuess ? noneByOwner(target, namespace) : noneByTarget(target, namespace)
  } catch (error) {
    if (error instanceof NoSelector) throw withoutSelector(target)
    if (error instanceof NeedsSelector) throw needsPermission(target, namespace, error)
    if (error instanceof ApiError && error.status === 404) throw await notFound({ deps, namespace }, target)
    throw explainError(error, failedRequest(error, target, namespace))
  }
}

function failedRequest(error: unknown, { kind }: Target, namespace: string): Attempt {
  const isAboutPods = error instanceof ApiError && / list resource "pods"/.test(error.message)
  const { plural: resource, group } = isAboutPods ? POD : kind
  return { verb: isAboutPods ? 'list' : 'get', resource, group, namespace }
}

function noneByTarget(target: Target, namespace: string): Failure {
  return new Failure('Data', `${nameOf(target)} in the namespace ${namespace} has no pods`, {
    hint: `See why: kubectl describe ${target.kind.name} ${target.name} -n ${namespace}`,
  })
}

function noneByOwner(target: Target, namespace: string): Failure {
  return new Failure('Data', `no pod in the namespace ${namespace} belongs to ${nameOf(target)}`, {
    hint: `You may read pods but not ${target.kind.plural}, so the name may be wrong. ${hintFor(namespace)}`,
  })
}

function withoutSelector({ kind, name }: Target): Failure {
  return new Failure('Data', `${kind.name}/${name} has no selector, and therefore no pods`, {
    hint: 'Give the names of pods, or select them by label: --selector app=web',
  })
}

function needsPermission(target: Target, namespace: string, cause: Error): Failure {
  const [, user] = /User "([^"]*)"/.exec(cause.message) ?? []
  const attempt = { verb: 'get', resource: 'services', group: '', namespace } as const
  return new Failure('Cluster', `${nameOf(target)}: no permission to get services, which is needed to find its pods`, {
    cause,
    hint: [
      'The template of "omen -j" contains that rule as a comment: uncomment it.',
      roleThatHelps(attempt, user),
      'Or select the pods by label: --selector app=web',
    ].join('\n'),
  })
}

/** There is no object with that name: suggests the nearest name. */
async function notFound(cluster: OpenCluster, { kind, name }: Target): Promise<Failure> {
  const { deps, namespace } = cluster
  const names = await list(deps, pathOf(kind, namespace), {}, nameIn).catch(() => [])
  const meant = closest(name, names)
  const owner = kind === POD && !meant ? await deploymentNamed(cluster, name) : undefined
  const guess = meant ?? owner
  return new Failure(
    'Data',
    `there is no ${kind.name} ${name} in the namespace ${namespace}${guess ? `: did you mean ${guess}?` : ''}`,
    {
      hint:
        names.length === 0
          ? `The namespace has none. Another namespace: -n <name>; all namespaces: -A`
          : `List them: kubectl get ${kind.plural} -n ${namespace}`,
    },
  )
}

/** A user who types the name of a deployment means its pods, whose names start with it. */
function closest(name: string, names: readonly string[]): string | undefined {
  return names.find((one) => one.startsWith(name)) ?? nearest(name, names)
}

async function deploymentNamed({ deps, namespace }: OpenCluster, name: string): Promise<string | undefined> {
  const path = `/apis/apps/v1/namespaces/${namespace}/deployments`
  const names: readonly string[] = await list(deps, path, {}, nameIn).catch(() => [])
  return names.includes(name) ? `deployment/${name}` : undefined
}

function nameIn(item: unknown): string | undefined {
  const name = (item as { metadata?: { name?: unknown } } | null)?.metadata?.name
  return typeof name === 'string' && /^[a-z0-9][a-z0-9.-]*$/.test(name) ? name : undefined
}
