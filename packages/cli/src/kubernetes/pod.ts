/** A container as a pod lists it. */
export interface PodContainer {
  readonly name: string
  readonly image: string
  /** How many times it was started anew. */
  readonly restarts: number
  /** Why it has no log yet, such as `ContainerCreating`; undefined when it was started. */
  readonly waiting: string | undefined
  /** An instance before this one has ended, and may have left its log. */
  readonly hasPrevious: boolean
  /** It has ended, and will not be started anew. */
  readonly isOver: boolean
}

/** What is kept of a pod: a cluster has thousands, and each is some kilobytes long. */
export interface Pod {
  readonly namespace: string
  readonly name: string
  /** Tells it from one of the same name before or after it. */
  readonly uid: string
  readonly labels: Readonly<Record<string, string>>
  /** Only those of this tool. */
  readonly annotations: Readonly<Record<string, string>>
  readonly owners: readonly { readonly kind: string; readonly name: string }[]
  /** Init containers first, then the others, then those that were added to look into it. */
  readonly containers: readonly PodContainer[]
  /** `Pending`, `Running`, `Succeeded`, `Failed` or `Unknown`. */
  readonly phase: string
}

/** The annotations that this tool reads. */
const OWN_ANNOTATION = /^(?:[a-z-]+\.)?omen\.dev\//

const LISTS = [
  ['initContainers', 'initContainerStatuses'],
  ['containers', 'containerStatuses'],
  ['ephemeralContainers', 'ephemeralContainerStatuses'],
] as const

/** Names are parts of paths, and a cluster that is not one may answer anything. */
const NAME = /^[a-z0-9][a-z0-9.-]{0,252}$/

/** Reads a pod as the API gives it; undefined when it is none. */
export function readPod(value: unknown): Pod | undefined {
  const pod = record(value)
  const metadata = record(pod.metadata)
  const [namespace, name] = [nameIn(metadata.namespace), nameIn(metadata.name)]
  if (namespace === undefined || name === undefined) return undefined
  const [spec, status] = [record(pod.spec), record(pod.status)]
  const annotations = texts(metadata.annotations)
  return {
    namespace,
    name,
    uid: text(metadata.uid),
    labels: texts(metadata.labels),
    annotations: Object.fromEntries(Object.entries(annotations).filter(([key]) => OWN_ANNOTATION.test(key))),
    owners: records(metadata.ownerReferences).map((owner) => ({ kind: text(owner.kind), name: text(owner.name) })),
    containers: LISTS.flatMap(([list, statuses]) => {
      return readContainers(
        spec[list],
        status[statuses],
        list === 'containers' ? text(spec.restartPolicy) : 'OnFailure',
      )
    }),
    phase: text(status.phase),
  }
}

function readContainers(list: unknown, statuses: unknown, restartPolicy: string): readonly PodContainer[] {
  const known = new Map(records(statuses).map((status) => [text(status.name), status]))
  return records(list).flatMap((container) => {
    const name = nameIn(container.name)
    if (name === undefined) return []
    const status = known.get(name)
    const state = record(status?.state)
    const restarts = Number.isSafeInteger(status?.restartCount) ? (status?.restartCount as number) : 0
    return {
      name,
      image: text(container.image),
      restarts,
      waiting: whyWaiting(status, state, restarts),
      hasPrevious: restarts > 0 || record(record(status?.lastState).terminated).exitCode !== undefined,
      isOver: hasEnded(record(state.terminated), restartPolicy),
    }
  })
}

function hasEnded({ exitCode }: Fields, restartPolicy: string): boolean {
  if (exitCode === undefined) return false
  return restartPolicy === 'Never' || (restartPolicy === 'OnFailure' && exitCode === 0)
}

/** A container that crashes again and again waits too, but it has run, and its log is there. */
function whyWaiting(status: Fields | undefined, state: Fields, restarts: number): string | undefined {
  if (state.running !== undefined || state.terminated !== undefined) return undefined
  if (restarts > 0) return undefined
  if (status === undefined) return 'PodScheduled'
  return text(record(state.waiting).reason) || 'Waiting'
}

type Fields = Readonly<Record<string, unknown>>

function record(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {}
}

function records(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.map(record) : []
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function texts(value: unknown): Readonly<Record<string, string>> {
  const pairs = Object.entries(record(value)).filter((pair): pair is [string, string] => typeof pair[1] === 'string')
  return Object.fromEntries(pairs)
}

function nameIn(value: unknown): string | undefined {
  const name = text(value)
  return NAME.test(name) && !name.includes('..') ? name : undefined
}
