import { Refused } from './api/api.js'
import { type Asking, askForJson } from './api/ask.js'
import { list } from './api/list.js'
import { type Kind, POD } from './kinds.js'
import { type Pod, readPod } from './pod.js'
import { readSelector } from './selector.js'
import type { Target } from './target.js'

/** Where pods are looked for: a namespace, or all of them. */
export type Where = { readonly namespace: string } | 'everywhere'

/** Pods, and how they were found. */
export interface FoundPods {
  readonly pods: readonly Pod[]
  /** The object itself may not be read: its pods were told by their owners and labels. */
  readonly isGuess: boolean
}

/** A service says in its selector alone which pods are its own: nothing in a pod names it. */
export class NeedsSelector extends Error {
  override readonly name = 'NeedsSelector'
}

/** An object that no pod belongs to, by what it is. */
export class HasNoPods extends Error {
  override readonly name = 'HasNoPods'
}

/** Lists the pods that labels choose; all of them without a selector. */
export function podsBySelector(asking: Asking, where: Where, selector: string | undefined): Promise<Pod[]> {
  const path = where === 'everywhere' ? '/api/v1/pods' : pathOf(POD, where.namespace)
  return list(asking, path, selector === undefined ? {} : { labelSelector: selector }, readPod)
}

/**
 * Finds the pods of a target: a pod itself, or those that the object's selector chooses. A role that reads nothing but pods is
 * enough for all but services: pods name their owners.
 *
 * @example
 * const { pods } = await findPods(asking, { kind: deployment, name: 'web' }, 'shop')
 */
export async function findPods(asking: Asking, { kind, name }: Target, namespace: string): Promise<FoundPods> {
  if (kind.pods === 'itself') {
    const pod = readPod(await askForJson(asking, `${pathOf(kind, namespace)}/${name}`))
    return { pods: pod ? [pod] : [], isGuess: false }
  }
  const object = await readUnlessForbidden(asking, kind, name, namespace)
  if (object === undefined) return { pods: await podsOfOwner(asking, kind, name, namespace), isGuess: true }
  if (kind.pods === 'jobs') return { pods: await podsOfJobs(asking, kind, name, namespace), isGuess: false }
  const selector = readSelector(object)
  if (selector === undefined) throw new HasNoPods()
  const pods = await podsBySelector(asking, { namespace }, selector)
  return { pods: kind.owner === undefined ? pods : ownOnly(pods, kind, name), isGuess: false }
}

/** Selectors of different objects may overlap: a pod that names another owner of the same kind is not ours. */
function ownOnly(pods: readonly Pod[], kind: Kind, name: string): readonly Pod[] {
  const others = pods.filter(
    (pod) => pod.owners.some((owner) => owner.kind === kind.owner) && !isOwned(pod, kind, name),
  )
  return pods.filter((pod) => !others.includes(pod))
}

export function pathOf({ api, plural }: Kind, namespace: string): string {
  return `${api}/namespaces/${namespace}/${plural}`
}

async function readUnlessForbidden(asking: Asking, kind: Kind, name: string, namespace: string): Promise<unknown> {
  try {
    return await askForJson(asking, `${pathOf(kind, namespace)}/${name}`)
  } catch (error) {
    if (!(error instanceof Refused) || !isUnreadable(error, name)) throw error
    if (kind.owner === undefined) throw new NeedsSelector(error.message, { cause: error })
    return undefined
  }
}

/** It may not be read, or the cluster is older than this part of its API: cron jobs came with 1.21. */
function isUnreadable({ status, message }: Refused, name: string): boolean {
  return status === 403 || (status === 404 && !message.includes(`"${name}" not found`))
}

async function podsOfOwner(asking: Asking, kind: Kind, name: string, namespace: string): Promise<readonly Pod[]> {
  const pods = await podsBySelector(asking, { namespace }, undefined)
  return pods.filter((pod) => isOwned(pod, kind, name))
}

/** Whether a pod names its owner, or an owner that in turn is known by its name to be owned. */
function isOwned({ owners, labels }: Pod, kind: Kind, name: string): boolean {
  const isOwner = OWNER_NAMES[kind.name] ?? isSame
  return owners.some((owner) => owner.kind === kind.owner && isOwner(owner.name, name, labels))
}

type OwnerTest = (owner: string, name: string, labels: Readonly<Record<string, string>>) => boolean

const isSame: OwnerTest = (owner, name) => owner === name

/** Deployments own replica sets, and cron jobs own jobs: how those are called is told by whose they are. */
const OWNER_NAMES: Readonly<Record<string, OwnerTest>> = {
  deployment: (owner, name, labels) => owner === `${name}-${labels['pod-template-hash']}`,
  // The minute for which it was scheduled, counted from 1970.
  cronjob: (owner, name) => owner.startsWith(`${name}-`) && /^\d{8,10}$/.test(owner.slice(name.length + 1)),
}

async function podsOfJobs(asking: Asking, kind: Kind, name: string, namespace: string): Promise<readonly Pod[]> {
  const jobs = await jobsOf(asking, name, namespace).catch((error: unknown) => {
    if (error instanceof Refused && error.status === 403) return undefined
    throw error
  })
  if (jobs === undefined) return podsOfOwner(asking, kind, name, namespace)
  if (jobs.length === 0) return []
  const pods = await podsBySelector(asking, { namespace }, `job-name in (${jobs.join(',')})`)
  return pods.filter(({ owners }) => owners.some((owner) => owner.kind === 'Job' && jobs.includes(owner.name)))
}

function jobsOf(asking: Asking, cronJob: string, namespace: string): Promise<string[]> {
  return list(asking, `/apis/batch/v1/namespaces/${namespace}/jobs`, {}, (item) => {
    const { metadata } = item as { metadata?: { name?: unknown; ownerReferences?: unknown } }
    const owners = Array.isArray(metadata?.ownerReferences) ? metadata.ownerReferences : []
    const isOwn = owners.some((owner) => owner?.kind === 'CronJob' && owner?.name === cronJob)
    return isOwn && typeof metadata?.name === 'string' ? metadata.name : undefined
  })
}
