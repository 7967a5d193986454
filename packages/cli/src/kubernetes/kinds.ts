/** A kind of object that has pods: its names, where it stands in the API, and how its pods are known. */
export interface Kind {
  /** As messages and the report name it: `deployment`. */
  readonly name: string
  /** What people type instead. */
  readonly aliases: readonly string[]
  /** The folder of the API that has it: `/apis/apps/v1`. */
  readonly api: string
  /** Its name in paths and roles. */
  readonly plural: string
  /** The API group, as roles name it. */
  readonly group: string
  /** How its pods are found. */
  readonly pods: 'itself' | 'selector' | 'jobs'
  /** The kind of owner that its pods name, for where the object itself may not be read. */
  readonly owner?: string
}

const CORE = { api: '/api/v1', group: '' }
const APPS = { api: '/apis/apps/v1', group: 'apps' }
const BATCH = { api: '/apis/batch/v1', group: 'batch' }

/** Every kind of target. */
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

/** The kind that a word names, in any of its spellings. */
export function kindNamed(word: string): Kind | undefined {
  const name = word.toLowerCase()
  return KINDS.find((kind) => [kind.name, kind.plural, ...kind.aliases].includes(name))
}

export const POD = KINDS[0]!
