import type { LogRequest } from './logs.js'
import type { KubeObject } from './objects.js'
import { type Refusal, refuse } from './status.js'

/** The container that is asked for, in the words in which the real server refuses. */
export function containerFor(pod: KubeObject, { container, previous }: LogRequest): string | Refusal {
  const spec = pod.spec as Readonly<Record<string, readonly { name: string }[] | undefined>>
  const status = pod.status as Readonly<Record<string, readonly Status[] | undefined>>
  const all = ['initContainers', 'containers', 'ephemeralContainers'].flatMap((list) => spec[list] ?? [])
  const { name } = pod.metadata
  if (container === undefined && (spec.containers?.length ?? 0) > 1) {
    const choices = spec.containers!.map((one) => one.name).join(' ')
    return refuse(400, `a container name must be specified for pod ${name}, choose one of: [${choices}]`)
  }
  const chosen = container ?? spec.containers?.[0]?.name ?? ''
  if (!all.some((one) => one.name === chosen)) return refuse(400, `container ${chosen} is not valid for pod ${name}`)
  const statuses = ['initContainerStatuses', 'containerStatuses', 'ephemeralContainerStatuses']
  const waiting = statuses.flatMap((list) => status[list] ?? []).find((one) => one.name === chosen)?.state?.waiting
  if (!waiting || previous) return chosen
  return refuse(400, `container "${chosen}" in pod "${name}" is waiting to start: ${waiting.reason}`)
}

interface Status {
  readonly name: string
  readonly state?: { readonly waiting?: { readonly reason?: string } }
}
