export interface PodContainer {
  readonly name: string
  readonly image: string
  /** The number of restarts. */
  readonly restarts: number
  /** Why it has no log yet, such as `ContainerCreating`; undefined if it was started. */
  readonly waiting: string | undefined
  /** It was restarted, so a previous log may exist. */
  readonly hasPrevious: boolean
  /** It waits to be started again, as in CrashLoopBackOff: its current log and its previous log are the same. */
  readonly isBetweenRuns: boolean
  /** It has ended, and will not be restarted. */
  readonly isFinished: boolean
}

/** The fields of a pod that omen needs: a cluster has thousands of pods, each with some kilobytes. */
export interface Pod {
  readonly namespace: string
  readonly name: string
  /** Distinguishes it from other pods with the same name. */
  readonly uid: string
  readonly labels: Readonly<Record<string, string>>
  /** Only the annotations of omen. */
  readonly annotations: Readonly<Record<string, string>>
  readonly owners: readonly { readonly kind: string; readonly name: string }[]
  /** Init containers, containers, and ephemeral containers, in this order. */
  readonly containers: readonly PodContainer[]
  /** `Pending`, `Running`, `Succeeded`, `Failed` or `Unknown`. */
  readonly phase: string
}

const OWN_ANNOTATION = /^(?:[a-z-]+\.)?omen\.dev\//

const LISTS = [
  ['initContainers', 'initContainerStatuses'],
  ['containers', 'containerStatuses'],
  ['ephemeralContainers', 'ephemeralContainerStatuses'],
] as const

/** Names become parts of paths, so they are checked. */
const NAME = /^[a-z0-9][a-z0-9.-]{0,252}$/

/** Reads a pod of the API; undefined if it is not valid. */
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
    const isStarted = state.running !== undefined || state.terminated !== undefined
    const hasEndedBefore = record(record(status?.lastState).terminated).exitCode !== undefined
    const hasPrevious = restarts > 0 || hasEndedBefore
    return {
      name,
      image: text(container.image),
      restarts,
      // A container in CrashLoopBackOff waits too, but it has run and has a log.
      waiting: isStarted || hasPrevious ? undefined : whyWaiting(status, state),
      hasPrevious,
      // The kubelet returns the log of the last run for both requests. If it does not know the last run, it has neither.
      isBetweenRuns: !isStarted && hasEndedBefore,
      isFinished: hasEnded(record(state.terminated), restartPolicy),
    }
  })
}

function hasEnded({ exitCode }: Fields, restartPolicy: string): boolean {
  if (exitCode === undefined) return false
  return restartPolicy === 'Never' || (restartPolicy === 'OnFailure' && exitCode === 0)
}

function whyWaiting(status: Fields | undefined, state: Fields): string {
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
