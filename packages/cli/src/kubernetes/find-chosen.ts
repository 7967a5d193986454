import { nearest, quote } from '@omen/engine/messages'
import { Failure } from '../failure.js'
import { Refused } from './api/api.js'
import type { Asking } from './api/ask.js'
import { list } from './api/list.js'
import { type Attempt, explainError, roleThatHelps } from './explain.js'
import { findPods, HasNoPods, NeedsSelector, pathOf, podsBySelector, type Where } from './find-pods.js'
import { POD } from './kinds.js'
import type { Pod } from './pod.js'
import { nameOf, type Target } from './target.js'

/** The cluster, and the namespace that is meant when none is named. */
export interface Place {
  readonly asking: Asking
  readonly namespace: string
}

/** What chooses pods beside targets. */
export interface Choice {
  readonly selector: string | undefined
  readonly allNamespaces: boolean
}

export interface ChosenPods {
  readonly pods: readonly Pod[]
  /** Targets that could not be found, where others were. */
  readonly problems: readonly string[]
  /** What each pod was found by. */
  readonly targetOf: ReadonlyMap<Pod, string>
}

/**
 * Finds the pods that targets name, or that a selector chooses, or all of a namespace. Rejects with a `Failure` when there are
 * none; of several targets, those that cannot be found are problems.
 */
export async function findChosen(place: Place, targets: readonly Target[], choice: Choice): Promise<ChosenPods> {
  if (targets.length === 0) return findBySelector(place, choice)
  const found = new Map<string, Pod>()
  const targetOf = new Map<Pod, string>()
  const failures: Failure[] = []
  for (const target of targets) {
    try {
      for (const pod of await findTarget(place, target)) {
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

async function findBySelector({ asking, namespace }: Place, choice: Choice): Promise<ChosenPods> {
  const { selector, allNamespaces } = choice
  const where: Where = allNamespaces ? 'everywhere' : { namespace }
  const place = allNamespaces ? 'in any namespace' : `in the namespace ${namespace}`
  const pods = await podsBySelector(asking, where, selector).catch((error: unknown) => {
    if (error instanceof Refused && error.status === 400 && selector !== undefined) throw notASelector(selector)
    throw explainError(error, {
      verb: 'list',
      resource: 'pods',
      group: '',
      namespace: allNamespaces ? undefined : namespace,
    })
  })
  if (pods.length === 0) {
    const what = selector === undefined ? 'there is no pod' : `no pod matches ${quote(selector)}`
    throw new Failure('Data', `${what} ${place}`, {
      hint: allNamespaces ? 'See what there is: kubectl get pods -A --show-labels' : hintFor(namespace),
    })
  }
  const name = allNamespaces ? 'all namespaces' : namespace
  const targetOf = new Map(pods.map((pod) => [pod, selector === undefined ? name : `${selector} in ${name}`]))
  return { pods, problems: [], targetOf }
}

function notASelector(selector: string): Failure {
  return new Failure('Usage', `--selector: ${quote(selector)} is no label selector`, {
    hint: 'Write it as for kubectl: app=web, app!=web, "tier in (front,back)"',
  })
}

function hintFor(namespace: string): string {
  return `Another namespace: -n <name>; all of them: -A. See what there is: kubectl get pods -n ${namespace} --show-labels`
}

async function findTarget({ asking, namespace }: Place, target: Target): Promise<readonly Pod[]> {
  try {
    const { pods, isGuess } = await findPods(asking, target, namespace)
    if (pods.length > 0) return pods
    throw isGuess ? noneByOwner(target, namespace) : noneByTarget(target, namespace)
  } catch (error) {
    if (error instanceof HasNoPods) throw withoutSelector(target)
    if (error instanceof NeedsSelector) throw needsRule(target, namespace, error)
    if (error instanceof Refused && error.status === 404) throw await notFound({ asking, namespace }, target)
    throw explainError(error, whatWasAsked(error, target, namespace))
  }
}

function whatWasAsked(error: unknown, { kind }: Target, namespace: string): Attempt {
  const isAboutPods = error instanceof Refused && / list resource "pods"/.test(error.message)
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
    hint: `You may read pods but no ${target.kind.plural}, so it may also be a slip. ${hintFor(namespace)}`,
  })
}

function withoutSelector({ kind, name }: Target): Failure {
  return new Failure('Data', `${kind.name}/${name} has no selector, so no pods of its own`, {
    hint: 'Name the pods themselves, or choose them by label: --selector app=web',
  })
}

function needsRule(target: Target, namespace: string, cause: Error): Failure {
  const [, user] = /User "([^"]*)"/.exec(cause.message) ?? []
  const attempt = { verb: 'get', resource: 'services', group: '', namespace } as const
  return new Failure('Cluster', `${nameOf(target)}: no permission to get services, which tells its pods`, {
    cause,
    hint: [
      'The template of "omen -j" has that rule as a comment: take the # away.',
      roleThatHelps(attempt, user),
      'Or choose the pods by label: --selector app=web',
    ].join('\n'),
  })
}

/** Something of that name is not there: says what is, with the nearest names. */
async function notFound(place: Place, { kind, name }: Target): Promise<Failure> {
  const { asking, namespace } = place
  const names = await list(asking, pathOf(kind, namespace), {}, nameIn).catch(() => [])
  const meant = closest(name, names)
  const others = kind === POD && !meant ? await ownersNamed(place, name) : undefined
  const guess = meant ?? others
  return new Failure(
    'Data',
    `there is no ${kind.name} ${name} in the namespace ${namespace}${guess ? `: did you mean ${guess}?` : ''}`,
    {
      hint:
        names.length === 0
          ? `There is none at all. Another namespace: -n <name>; all of them: -A`
          : `See what there is: kubectl get ${kind.plural} -n ${namespace}`,
    },
  )
}

/** Whoever types the name of a deployment means its pods, whose names begin with it. */
function closest(name: string, names: readonly string[]): string | undefined {
  return names.find((one) => one.startsWith(name)) ?? nearest(name, names)
}

async function ownersNamed({ asking, namespace }: Place, name: string): Promise<string | undefined> {
  const path = `/apis/apps/v1/namespaces/${namespace}/deployments`
  const names: readonly string[] = await list(asking, path, {}, nameIn).catch(() => [])
  return names.includes(name) ? `deployment/${name}` : undefined
}

function nameIn(item: unknown): string | undefined {
  const name = (item as { metadata?: { name?: unknown } } | null)?.metadata?.name
  return typeof name === 'string' && /^[a-z0-9][a-z0-9.-]*$/.test(name) ? name : undefined
}
