import { nearest, quote } from '@omen/engine/messages'
import { Failure } from '../failure.js'

/** A kind of object that has pods. */
export interface Kind {
  /** The name in messages and the report: `deployment`. */
  readonly name: string
  readonly aliases: readonly string[]
  /** Its API path: `/apis/apps/v1`. */
  readonly api: string
  /** Its name in paths and roles. */
  readonly plural: string
  /** The API group in roles. */
  readonly group: string
  /** How its pods are found. */
  readonly pods: 'itself' | 'selector' | 'jobs'
  /** The kind of owner that its pods name, for when the object may not be read. */
  readonly owner?: string
}

const CORE = { api: '/api/v1', group: '' }
const APPS = { api: '/apis/apps/v1', group: 'apps' }
const BATCH = { api: '/apis/batch/v1', group: 'batch' }

export const KINDS: readonly Kind[] = [
  { ...CORE, name: 'pod', plural: 'pods', aliases: ['po'], pods: 'itself' },
  {
    ...APPS,
    name: 'deployment',
    plural: 'deployments',
    aliases: ['deploy', 'deployment.apps', 'deployments.apps'],
    pods: 'selector',
    owner: 'ReplicaSet',
  },
  { ...BATCH, name: 'job', plural: 'jobs', aliases: ['job.batch', 'jobs.batch'], pods: 'selector', owner: 'Job' },
  { ...CORE, name: 'service', plural: 'services', aliases: ['svc'], pods: 'selector' },
  {
    ...APPS,
    name: 'statefulset',
    plural: 'statefulsets',
    aliases: ['sts', 'statefulset.apps', 'statefulsets.apps'],
    pods: 'selector',
    owner: 'StatefulSet',
  },
  {
    ...APPS,
    name: 'daemonset',
    plural: 'daemonsets',
    aliases: ['ds', 'daemonset.apps', 'daemonsets.apps'],
    pods: 'selector',
    owner: 'DaemonSet',
  },
  {
    ...BATCH,
    name: 'cronjob',
    plural: 'cronjobs',
    aliases: ['cj', 'cronjob.batch', 'cronjobs.batch'],
    pods: 'jobs',
    owner: 'Job',
  },
  {
    ...APPS,
    name: 'replicaset',
    plural: 'replicasets',
    aliases: ['rs', 'replicaset.apps', 'replicasets.apps'],
    pods: 'selector',
    owner: 'ReplicaSet',
  },
  {
    ...CORE,
    name: 'replicationcontroller',
    plural: 'replicationcontrollers',
    aliases: ['rc'],
    pods: 'selector',
    owner: 'ReplicationController',
  },
]

/** The kind with this name or alias. */
export function kindNamed(word: string): Kind | undefined {
  const name = word.toLowerCase()
  return KINDS.find((kind) => [kind.name, kind.plural, ...kind.aliases].includes(name))
}

export const POD = KINDS[0]!

/** An object whose pods are read. */
export interface Target {
  readonly kind: Kind
  readonly name: string
}

/** A valid name of an object: any other string could change the path of a request. */
const NAME = /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/

const HINT = 'Try: kubectl omen --help'

/**
 * Reads targets: `web-1`, `pod/web-1`, `deployment/web`, and like kubectl, `deployment web api`.
 *
 * @example
 * readTargets(['deploy/web', 'job/import']) // [{ kind: deployment, name: 'web' }, { kind: job, name: 'import' }]
 */
export function readTargets(words: readonly string[]): readonly Target[] {
  const [first, ...rest] = words
  if (first === undefined) return []
  const kind = first.includes('/') ? undefined : kindNamed(first)
  const isKindFirst = kind !== undefined && rest.length > 0 && rest.every((word) => !word.includes('/'))
  if (isKindFirst) return rest.map((name) => ({ kind, name: checkName(name, name) }))
  if (kind && rest.length === 0 && first !== POD.name) {
    throw usage(`${kind.name} needs a name: kubectl omen ${kind.name}/<name>`)
  }
  return words.map(readTarget)
}

function readTarget(word: string): Target {
  const slash = word.indexOf('/')
  if (slash < 0) return { kind: POD, name: checkName(word, word) }
  const kind = kindNamed(word.slice(0, slash))
  if (!kind) throw unknownKind(word.slice(0, slash))
  return { kind, name: checkName(word.slice(slash + 1), word) }
}

function checkName(name: string, word: string): string {
  if (NAME.test(name) && !name.includes('..')) return name
  if (name === '') throw usage(`${quote(word)} has no name: write ${word}<name>`)
  const what = 'names consist of lower-case letters, digits, dots and hyphens'
  throw usage(`${quote(word)} is not a pod, deployment, job or service: ${what}`)
}

/**
 * Checks the name of a namespace: any other string could change the path of a request.
 *
 * @example
 * checkNamespace('shop') // 'shop'
 */
export function checkNamespace(name: string): string {
  if (/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(name)) return name
  throw usage(`${quote(name)} is not a namespace: names consist of lower-case letters, digits and hyphens`)
}

function unknownKind(word: string): Failure {
  const names = KINDS.map(({ name }) => name)
  const meant = nearest(word.toLowerCase(), names)
  const hint = meant === undefined ? `Kinds: ${names.join(', ')}.` : `Did you mean ${meant}/?`
  return usage(`${quote(word)} is not a kind of object with pods. ${hint}`)
}

function usage(message: string): Failure {
  return new Failure('Usage', message, { hint: HINT })
}

export function nameOf({ kind, name }: Target): string {
  return `${kind.name}/${name}`
}
