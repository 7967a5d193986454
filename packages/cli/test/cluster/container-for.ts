import type { LogRequest } from './logs.js'
import type { KubeObject } from './objects.js'
import { type StatusError, statusError } from './status.js'

/** The container of a log request and which of its logs is sent, or the error of a real API server. */
export function containerFor(pod: KubeObject, { container, previous }: LogRequest): ChosenLog | StatusError {
  const spec = pod.spec as Readonly<Record<string, readonly { name: string }[] | undefined>>
  const status = pod.status as Readonly<Record<string, readonly Status[] | undefined>>
  const all = ['initContainers', 'containers', 'ephemeralContainers'].flatMap((list) => spec[list] ?? [])
  const { name } = pod.metadata
  if (container === undefined && (spec.containers?.length ?? 0) > 1) {
    const choices = spec.containers!.map((one) => one.name).join(' ')
    return statusError(400, `a container name must be specified for pod ${name}, choose one of: [${choices}]`)
  }
  const chosen = container ?? spec.containers?.[0]?.name ?? ''
  if (!all.some((one) => one.name === chosen))
    return statusError(400, `container ${chosen} is not valid for pod ${name}`)
  const statuses = ['initContainerStatuses', 'containerStatuses', 'ephemeralContainerStatuses']
  const { state, lastState } = statuses.flatMap((list) => status[list] ?? []).find((one) => one.name === chosen) ?? {}
  const waiting = state?.waiting
  if (!waiting || previous) return { name: chosen, previous }
  // While a container waits to be restarted, the kubelet sends the log of its last run, whether or not that was requested.
  if (lastState?.terminated) return { name: chosen, previous: true }
  return statusError(400, `container "${chosen}" in pod "${name}" is waiting to start: ${waiting.reason}`)
}

interface ChosenLog {
  readonly name: string
  /** The log of the run before the present one. */
  readonly previous: boolean
}

interface Status {
  readonly name: string
  readonly state?: { readonly waiting?: { readonly reason?: string } }
  readonly lastState?: { readonly terminated?: object }
}
