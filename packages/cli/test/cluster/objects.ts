/** Any object of the API, with the fields that this server uses. */
export interface KubeObject {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: {
    readonly name: string
    readonly namespace?: string
    readonly labels?: Readonly<Record<string, string>>
    readonly annotations?: Readonly<Record<string, string>>
    readonly ownerReferences?: readonly OwnerReference[]
    readonly [more: string]: unknown
  }
  readonly [more: string]: unknown
}

export interface OwnerReference {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  readonly uid: string
  readonly controller?: boolean
}

/** The fields of a container that tests set. */
export interface ContainerDraft {
  readonly name?: string
  readonly image?: string
  readonly restarts?: number
  /** A reason such as `ContainerCreating`: it has not started. */
  readonly waiting?: string
}

/** The fields of a pod that tests set. */
export interface PodDraft {
  readonly namespace?: string
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
  readonly owner?: KubeObject
  readonly containers?: readonly ContainerDraft[]
  readonly initContainers?: readonly ContainerDraft[]
  readonly ephemeralContainers?: readonly ContainerDraft[]
  readonly phase?: string
}

const CREATED = '2026-03-01T11:00:00Z'

/**
 * A pod as the API server returns it.
 *
 * @example
 * pod('web-1', { namespace: 'shop', labels: { app: 'web' }, containers: [{ name: 'app', image: 'nginx:1.27' }] })
 */
export function pod(name: string, draft: PodDraft = {}): KubeObject {
  const { namespace = 'default', labels = {}, annotations = {}, owner, phase = 'Running' } = draft
  const containers = draft.containers ?? [{}]
  const { initContainers = [], ephemeralContainers = [] } = draft
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace,
      uid: `uid-${namespace}-${name}`,
      creationTimestamp: CREATED,
      labels,
      annotations,
      ...(owner && { ownerReferences: [referenceTo(owner)] }),
    },
    spec: {
      containers: containers.map(containerSpec),
      ...(initContainers.length > 0 && { initContainers: initContainers.map(containerSpec) }),
      ...(ephemeralContainers.length > 0 && { ephemeralContainers: ephemeralContainers.map(containerSpec) }),
    },
    status: {
      phase,
      containerStatuses: containers.map(containerStatus),
      ...(initContainers.length > 0 && { initContainerStatuses: initContainers.map(containerStatus) }),
      ...(ephemeralContainers.length > 0 && { ephemeralContainerStatuses: ephemeralContainers.map(containerStatus) }),
    },
  }
}

function containerSpec({ name = 'app', image = 'registry.example/app:1' }: ContainerDraft) {
  return { name, image }
}

function containerStatus({ name = 'app', image = 'registry.example/app:1', restarts = 0, waiting }: ContainerDraft) {
  const state = waiting === undefined ? { running: { startedAt: CREATED } } : { waiting: { reason: waiting } }
  const last = restarts > 0 ? { terminated: { exitCode: 1, reason: 'Error', finishedAt: CREATED } } : {}
  return {
    name,
    image,
    imageID: `${image}@sha256:0`,
    ready: waiting === undefined,
    restartCount: restarts,
    state,
    lastState: last,
    ...(waiting === undefined && { containerID: `containerd://${name}-${restarts}`, started: true }),
  }
}

/** The API versions of the kinds that own pods. */
const VERSIONS = {
  Deployment: 'apps/v1',
  ReplicaSet: 'apps/v1',
  StatefulSet: 'apps/v1',
  DaemonSet: 'apps/v1',
  Job: 'batch/v1',
  CronJob: 'batch/v1',
  ReplicationController: 'v1',
} as const

export interface WorkloadDraft {
  readonly namespace?: string
  /** The labels of its selector. */
  readonly selector?: Readonly<Record<string, string>>
  readonly owner?: KubeObject
  readonly spec?: Readonly<Record<string, unknown>>
}

/**
 * An object that owns pods: a deployment, a job and so on.
 *
 * @example
 * workload('Deployment', 'web', { namespace: 'shop', selector: { app: 'web' } })
 */
export function workload(kind: keyof typeof VERSIONS, name: string, draft: WorkloadDraft = {}): KubeObject {
  const { namespace = 'default', selector = { app: name }, owner, spec = {} } = draft
  return {
    apiVersion: VERSIONS[kind],
    kind,
    metadata: {
      name,
      namespace,
      uid: `uid-${kind}-${namespace}-${name}`,
      creationTimestamp: CREATED,
      labels: selector,
      ...(owner && { ownerReferences: [referenceTo(owner)] }),
    },
    spec: { selector: kind === 'ReplicationController' ? selector : { matchLabels: selector }, replicas: 1, ...spec },
  }
}

/** A service; without a selector it has no pods. */
export function service(name: string, selector?: Readonly<Record<string, string>>, namespace = 'default'): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace, uid: `uid-Service-${namespace}-${name}`, creationTimestamp: CREATED },
    spec: { ...(selector && { selector }), ports: [{ port: 80 }] },
  }
}

export function namespace(name: string): KubeObject {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name, creationTimestamp: CREATED } }
}

function referenceTo({ apiVersion, kind, metadata }: KubeObject): OwnerReference {
  return { apiVersion, kind, name: metadata.name, uid: String(metadata.uid), controller: true }
}
