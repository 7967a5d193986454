import type { Source, SourceFile } from '../sources/source.js'
import type { Pod, PodContainer } from './pod.js'
import type { LogPlace } from './read-log.js'
import { type ChosenTypes, sourceTypeOf } from './source-types.js'

/** What is wanted of pods. */
export interface ContainerWishes {
  /** The names of containers; all of them when none is named. */
  readonly containers: readonly string[]
  /** The instance before this one alone. */
  readonly previous: boolean
  /** Those that have not started are read as soon as they do. */
  readonly awaits: boolean
  /** Containers that are read already, by pod and name. */
  readonly isKnown: (pod: Pod, container: PodContainer) => boolean
  /** Whether another pod's log has this name already. */
  readonly isTaken: (path: string, pod: Pod) => boolean
  readonly types: ChosenTypes
  readonly window: bigint | undefined
  /** With few containers, each has a line of its own on the screen; with many, those of a target share one. */
  readonly stageOf: (pod: Pod) => string
}

/** Containers as sources. */
export interface ContainerSources {
  readonly sources: readonly Source[]
  /** Which log a file of a source is. */
  readonly places: ReadonlyMap<string, LogPlace>
  /** Containers that have no log yet, and why. */
  readonly waiting: readonly { readonly name: string; readonly reason: string }[]
}

/** So many lines of progress can be read at a glance. */
const MOST_STAGES = 8

/**
 * Makes sources of pods: each container is one, with its own state of the rules. A container that was started anew gives the
 * log of its last instance first.
 */
export function sourcesOf(pods: readonly Pod[], wishes: ContainerWishes): ContainerSources {
  const chosen = pods.flatMap((pod) =>
    pod.containers
      .filter(({ name }) => wishes.containers.length === 0 || wishes.containers.includes(name))
      .filter((container) => !wishes.isKnown(pod, container))
      .map((container) => ({ pod, container })),
  )
  const isWaiting = ({ waiting }: PodContainer) => waiting !== undefined && !wishes.previous && !wishes.awaits
  const there = chosen.filter(({ container }) => !isWaiting(container))
  // What comes anew while others are followed has no line of its own.
  const shares = there.length > MOST_STAGES || wishes.awaits
  const places = new Map<string, LogPlace>()
  const sources = there.flatMap(({ pod, container }): readonly Source[] => {
    const files = logsOf(pod, container, wishes)
    for (const { path, place } of files) places.set(path, place)
    if (files.length === 0) return []
    return [
      {
        name: nameOf(pod, container),
        ...(shares && { stage: wishes.stageOf(pod) }),
        type: sourceTypeOf(pod, container, wishes.types),
        window: wishes.window,
        files: files.map(({ path }): SourceFile => ({ path, size: undefined, timestamp: undefined })),
        labels: { namespace: pod.namespace, pod: pod.name, container: container.name },
      },
    ]
  })
  const waiting = chosen
    .filter(({ container }) => isWaiting(container))
    .map(({ pod, container }) => ({ name: nameOf(pod, container), reason: container.waiting! }))
  return { sources, places, waiting }
}

/** A container as it is named everywhere. */
function nameOf({ namespace, name }: Pod, container: PodContainer): string {
  return `${namespace}/${name}/${container.name}`
}

function logsOf(pod: Pod, container: PodContainer, { previous, isTaken }: ContainerWishes) {
  const place = { namespace: pod.namespace, pod: pod.name, container: container.name, uid: pod.uid }
  const name = nameOf(pod, container)
  // A pod may come anew under the name of one that is gone.
  const path = isTaken(name, pod) ? `${name} (${pod.uid.slice(0, 8)})` : name
  const before = { path: `${path} (previous)`, place: { ...place, previous: true } }
  if (previous) return container.hasPrevious ? [before] : []
  const now = { path, place: { ...place, previous: false } }
  return container.hasPrevious ? [before, now] : [now]
}
