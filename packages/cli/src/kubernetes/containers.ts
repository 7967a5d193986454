import type { Source, SourceFile } from '../sources/source.js'
import type { Pod, PodContainer } from './pod.js'
import type { ContainerLog } from './read-log.js'
import { type ChosenTypes, sourceTypeOf } from './source-types.js'

/** Which containers of pods are read. */
export interface ContainerSelection {
  /** Container names; empty for all containers. */
  readonly containers: readonly string[]
  /** Only the log before the last restart. */
  readonly previous: boolean
  /** Containers that have not started are read as soon as they do. */
  readonly awaits: boolean
  /** Whether a container is read already. */
  readonly isKnown: (pod: Pod, container: PodContainer) => boolean
  /** Whether the log of another pod has this name. */
  readonly isTaken: (path: string, pod: Pod) => boolean
  readonly types: ChosenTypes
  readonly window: bigint | undefined
  /** The zone of times without one; UTC if it is not given. */
  readonly zone: string | undefined
  /** The progress line that the containers of a target share if there are many. */
  readonly stageOf: (pod: Pod) => string
}

export interface ContainerSources {
  readonly sources: readonly Source[]
  /** The log of each file of a source. */
  readonly places: ReadonlyMap<string, ContainerLog>
  /** Containers without a log, and the reason. */
  readonly waiting: readonly { readonly name: string; readonly reason: string }[]
}

/** With more containers, those of a target share a progress line. */
const MAX_STAGES = 8

/**
 * The sources of pods: each container is a source. If a container was restarted, the log before the restart comes first; one that
 * waits to be restarted has only one log.
 */
export function sourcesOf(pods: readonly Pod[], selection: ContainerSelection): ContainerSources {
  const chosen = pods.flatMap((pod) =>
    pod.containers
      .filter(({ name }) => selection.containers.length === 0 || selection.containers.includes(name))
      .filter((container) => !selection.isKnown(pod, container))
      .map((container) => ({ pod, container })),
  )
  const isWaiting = ({ waiting }: PodContainer) => waiting !== undefined && !selection.previous && !selection.awaits
  const started = chosen.filter(({ container }) => !isWaiting(container))
  // Containers that start while others are followed have no progress line.
  const shares = started.length > MAX_STAGES || selection.awaits
  const places = new Map<string, ContainerLog>()
  const sources = started.flatMap(({ pod, container }): readonly Source[] => {
    const files = logsOf(pod, container, selection)
    for (const { path, place } of files) places.set(path, place)
    if (files.length === 0) return []
    return [
      {
        name: nameOf(pod, container),
        ...(shares && { stage: selection.stageOf(pod) }),
        type: sourceTypeOf(pod, container, selection.types),
        window: selection.window,
        files: files.map(
          ({ path }): SourceFile => ({ path, size: undefined, timestamp: undefined, zone: selection.zone }),
        ),
        labels: { namespace: pod.namespace, pod: pod.name, container: container.name },
      },
    ]
  })
  const waiting = chosen
    .filter(({ container }) => isWaiting(container))
    .map(({ pod, container }) => ({ name: nameOf(pod, container), reason: container.waiting! }))
  return { sources, places, waiting }
}

function nameOf({ namespace, name }: Pod, container: PodContainer): string {
  return `${namespace}/${name}/${container.name}`
}

function logsOf(pod: Pod, container: PodContainer, { previous, awaits, isTaken }: ContainerSelection) {
  const place = { namespace: pod.namespace, pod: pod.name, container: container.name, uid: pod.uid }
  const name = nameOf(pod, container)
  // A new pod may have the name of a deleted one.
  const path = isTaken(name, pod) ? `${name} (${pod.uid.slice(0, 8)})` : name
  const previousLog = { path: `${path} (previous)`, place: { ...place, previous: true } }
  if (previous) return container.hasPrevious ? [previousLog] : []
  const currentLog = { path, place: { ...place, previous: false } }
  if (container.isBetweenRuns) {
    // If it starts before its log is requested, the log of the last run is the previous one. Following notices the restart.
    return awaits ? [{ path, place: { ...currentLog.place, restarts: container.restarts } }] : [previousLog]
  }
  if (!container.hasPrevious) return [currentLog]
  return [{ ...previousLog, place: { ...previousLog.place, isExtra: true } }, currentLog]
}
