import { nearest, quote } from '@omen/engine/messages'
import type { PodsOptions } from '../command-line/command.js'
import { here, type Log } from '../console/log.js'
import { sanitize } from '../console/text/sanitize.js'
import { Failure } from '../failure.js'
import type { Data } from '../sources/open-data.js'
import { Missing, type Origin } from '../sources/origin.js'
import type { ResolvedSources } from '../sources/resolve-sources.js'
import { connect } from './api/connect.js'
import { wait } from './api/requests.js'
import { type ContainerSources, sourcesOf } from './containers.js'
import { explainLog } from './explain.js'
import { type ChosenPods, findChosen, type OpenCluster } from './find-chosen.js'
import { followLog } from './follow-log.js'
import type { Pod } from './pod.js'
import { type ContainerLog, type LogOptions, openLog } from './read-log.js'
import { readTypes } from './source-types.js'
import { checkNamespace, readTargets } from './target.js'

export interface ClusterContext {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly log: Log
  readonly window: bigint | undefined
  /** The configured zone of times without one. */
  readonly timezone: string | undefined
  readonly reading: LogOptions['reading']
}

/** More requests at once are not faster, and the API server has other users. */
const DEFAULT_PARALLEL = 10

/** Each followed container needs a connection; the spare ones are for other requests. */
const MAX_FOLLOWED = 18
const SPARE_CONNECTIONS = 2

/** Kinds that end. Other kinds replace their pods, so following them never ends. */
const ENDING: ReadonlySet<string> = new Set(['pod', 'job'])

/** The namespace of the command line. With `--all-namespaces` its value does not matter. */
function namespaceOf({ namespace, allNamespaces }: PodsOptions): string | undefined {
  if (allNamespaces) return 'default'
  return namespace === undefined ? undefined : checkNamespace(namespace)
}

/** Opens the pods that the command line selects as an origin of sources. */
export function openCluster(options: PodsOptions, context: ClusterContext): Origin {
  const { log } = context
  const closing = new AbortController()
  const { since, until, tail, parallel = DEFAULT_PARALLEL } = options
  const targets = readTargets(options.targets)
  const types = readTypes(options.sourceTypes)
  const named = namespaceOf(options)
  const places = new Map<string, ContainerLog>()
  /** Containers that are or were followed, with the UID of their pod. */
  const known = new Set<string>()
  let following = 0
  let opened: OpenCluster | undefined
  let close = async () => {}

  async function open(): Promise<OpenCluster> {
    const maxConnections = options.follow ? MAX_FOLLOWED + SPARE_CONNECTIONS : parallel
    const { context: name, kubeconfig, as } = options
    const { api, namespace } = await connect({
      context: name,
      kubeconfig,
      as,
      namespace: named,
      env: context.env,
      maxConnections,
    })
    close = () => api.close()
    log.debug(here(), 'connected to the cluster', { by: api.transport, namespace })
    return { deps: { api, signal: closing.signal, wait }, namespace }
  }

  function sourcesIn({ pods, targetOf }: Pick<ChosenPods, 'pods' | 'targetOf'>): ContainerSources {
    const found = sourcesOf(pods, {
      containers: options.containers,
      previous: options.previous,
      awaits: options.follow,
      isKnown: (pod, { name }) => known.has(`${pod.uid} ${name}`),
      isTaken: (path, { uid }) => (places.get(path)?.uid ?? uid) !== uid,
      types,
      window: context.window,
      zone: options.logZone ?? context.timezone,
      stageOf: (pod: Pod) => targetOf.get(pod) ?? 'pods',
    })
    for (const [path, place] of found.places) places.set(path, place)
    return found
  }

  async function read(path: string, open: typeof openLog): Promise<Data> {
    const place = places.get(path)!
    try {
      return await open(opened!.deps, place, { since, until, tail, reading: context.reading })
    } catch (error) {
      const explained = explainLog(error, place)
      if (!place.isExtra || !(explained instanceof Missing)) throw explained
      log.debug(here(), 'no log before the restart', { container: path })
      return EMPTY
    }
  }

  return {
    get parallel() {
      return Math.min(parallel, opened?.deps.api.maxRequests ?? parallel)
    },
    isOpenEnded: !targets.every(({ kind }) => ENDING.has(kind.name)) || targets.length === 0,
    async find(): Promise<ResolvedSources> {
      opened = await open()
      const { pods, problems, targetOf } = await findChosen(opened, targets, options)
      const found = sourcesIn({ pods, targetOf })
      const warnings = warningsOf(found)
      if (found.sources.length === 0 && problems.length === 0) throw nothingToRead(pods, found, options)
      if (options.follow) refuseTooMany(found.sources.length)
      return { sources: found.sources, problems, warnings, skipped: [] }
    },
    async findMore() {
      const found = await findChosen(opened!, targets, options).catch((error: unknown) => {
        // There are no pods now, but new ones may start.
        if (error instanceof Failure && error.kind === 'Data') return { pods: [], targetOf: new Map() }
        throw error
      })
      return sourcesIn(found).sources.slice(0, Math.max(0, MAX_FOLLOWED - following))
    },
    open: ({ path }) => read(path, openLog),
    async follow({ path }) {
      const place = places.get(path)!
      if (place.previous) return read(path, openLog)
      known.add(`${place.uid} ${place.container}`)
      const data = await read(path, async (...log) => followLog(...log))
      following++
      return {
        ...data,
        close: once(async () => {
          following--
          await data.close()
        }),
      }
    },
    close() {
      closing.abort()
      return close()
    },
  }
}

const EMPTY: Data = {
  compression: undefined,
  size: undefined,
  file: undefined,
  taken: () => 0,
  read: () => 0,
  close() {},
}

/** The warnings name this many containers that have not started, and count the others. */
const MAX_NAMED = 5

function warningsOf({ waiting }: ContainerSources): readonly string[] {
  const named = waiting.slice(0, MAX_NAMED)
  const others = waiting.length - named.length
  return [
    ...named.map(({ name, reason }) => `${name}: not started yet (${sanitize(reason)}), so it has no log`),
    ...(others > 0 ? [`${others} more ${others === 1 ? 'container has' : 'containers have'} not started yet`] : []),
  ]
}

function refuseTooMany(containers: number): void {
  if (containers <= MAX_FOLLOWED) return
  throw new Failure('Usage', `--follow reads at most ${MAX_FOLLOWED} containers, and there are ${containers}`, {
    hint: 'Select fewer (-c <container>, --selector <labels>), or scan all of them every ten minutes: kubectl omen -j',
  })
}

/** Explains why there are pods but no logs. */
function nothingToRead(
  pods: readonly Pod[],
  { waiting }: ContainerSources,
  { containers, previous }: PodsOptions,
): Failure {
  const names = new Set(pods.flatMap((pod) => pod.containers.map(({ name }) => name)))
  const unknown = containers.find((name) => !names.has(name))
  if (unknown !== undefined) {
    const meant = nearest(unknown, names)
    const guess = meant === undefined ? '' : ` Did you mean ${meant}?`
    return new Failure('Data', `no container ${quote(unknown)} in ${podsIn(pods)}.${guess}`, {
      hint: `Containers: ${[...names].sort().join(', ')}`,
    })
  }
  if (previous) {
    return new Failure('Data', `no container of ${podsIn(pods)} was restarted, so there is no previous log`, {
      hint: 'Omit --previous to read the current logs',
    })
  }
  const [first] = waiting
  const reason = first === undefined ? '' : ` (${first.name}: ${sanitize(first.reason)})`
  return new Failure('Data', `no container of ${podsIn(pods)} has started yet${reason}, so there is no log`, {
    hint: `See why: kubectl describe pod ${pods[0]?.name} -n ${pods[0]?.namespace}`,
  })
}

function podsIn(pods: readonly Pod[]): string {
  const [first] = pods
  return pods.length === 1 ? `the pod ${first!.name}` : `these ${pods.length} pods`
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined
  return () => (done ??= work())
}
