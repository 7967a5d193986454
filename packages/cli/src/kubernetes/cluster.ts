import { nearest, quote } from '@omen/engine/messages'
import type { PodsOptions } from '../command-line/command.js'
import { here, type Log } from '../console/log.js'
import { sanitize } from '../console/text/sanitize.js'
import { Failure } from '../failure.js'
import type { Data } from '../sources/open-data.js'
import { Missing, type Origin } from '../sources/origin.js'
import type { ResolvedSources } from '../sources/resolve-sources.js'
import { connect } from './api/connect.js'
import { type ContainerSources, sourcesOf } from './containers.js'
import { explainLog } from './explain-log.js'
import { type ChosenPods, findChosen, type Place } from './find-chosen.js'
import { followLog } from './follow-log.js'
import type { Pod } from './pod.js'
import { type LogOptions, type LogPlace, openLog } from './read-log.js'
import { readTypes } from './source-types.js'
import { checkNamespace, readTargets } from './target.js'
import { wait } from './wait.js'

/** What a cluster is read with. */
export interface ClusterContext {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly log: Log
  readonly window: bigint | undefined
  readonly reading: LogOptions['reading']
}

/** More at once would not be faster, and others use the API server, too. */
const USUAL_PARALLEL = 10

/** So many are followed at once, each over a connection of its own; and so many connections are left for all else. */
const MOST_FOLLOWED = 18
const SPARE = 2

/** What ends, so that following it does: others get new pods when theirs are gone. */
const ENDING: ReadonlySet<string> = new Set(['pod', 'job'])

/** The namespace, as far as the command line says it; any will do where all are read. */
function namespaceOf({ namespace, allNamespaces }: PodsOptions): string | undefined {
  if (allNamespaces) return 'default'
  return namespace === undefined ? undefined : checkNamespace(namespace)
}

/** Reads the pods of a cluster that the command line names, as an origin of sources. */
export function openCluster(options: PodsOptions, context: ClusterContext): Origin {
  const { log } = context
  const closing = new AbortController()
  const { since, until, tail, parallel = USUAL_PARALLEL } = options
  const targets = readTargets(options.targets)
  const types = readTypes(options.sourceTypes)
  const named = namespaceOf(options)
  const places = new Map<string, LogPlace>()
  /** Containers that are followed, or were, by the pod that they are of. */
  const known = new Set<string>()
  let following = 0
  let opened: Place | undefined
  let close = async () => {}

  async function open(): Promise<Place> {
    const most = options.follow ? MOST_FOLLOWED + SPARE : parallel
    const { context: name, kubeconfig, as } = options
    const { api, namespace } = await connect({
      context: name,
      kubeconfig,
      as,
      namespace: named,
      env: context.env,
      most,
    })
    close = () => api.close()
    log.debug(here(), 'cluster reached', { by: api.way, namespace })
    return { asking: { api, signal: closing.signal, wait }, namespace }
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
      stageOf: (pod: Pod) => targetOf.get(pod) ?? 'pods',
    })
    for (const [path, place] of found.places) places.set(path, place)
    return found
  }

  async function read(path: string, open: typeof openLog): Promise<Data> {
    const place = places.get(path)!
    try {
      return await open(opened!.asking, place, { since, until, tail, reading: context.reading })
    } catch (error) {
      const explained = explainLog(error, place)
      const isExtra = place.previous && !options.previous && explained instanceof Missing
      if (!isExtra) throw explained
      // Nobody asked for it in particular, and nothing is wrong when it is gone.
      log.debug(here(), 'no log of the instance before', { container: path })
      return EMPTY
    }
  }

  return {
    get parallel() {
      return Math.min(parallel, opened?.asking.api.most ?? parallel)
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
        // All are gone for now: what runs them may start others.
        if (error instanceof Failure && error.kind === 'Data') return { pods: [], targetOf: new Map() }
        throw error
      })
      return sourcesIn(found).sources.slice(0, Math.max(0, MOST_FOLLOWED - following))
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

/** So many containers that have not started are named; of more, how many they are is worth a line. */
const MOST_NAMED = 5

function warningsOf({ waiting }: ContainerSources): readonly string[] {
  const named = waiting.slice(0, MOST_NAMED)
  const others = waiting.length - named.length
  return [
    ...named.map(({ name, reason }) => `${name}: not started yet (${sanitize(reason)}): there is no log`),
    ...(others > 0 ? [`${others} more containers have not started yet: there is no log of them`] : []),
  ]
}

function refuseTooMany(containers: number): void {
  if (containers <= MOST_FOLLOWED) return
  throw new Failure('Usage', `--follow reads up to ${MOST_FOLLOWED} containers, and these are ${containers}`, {
    hint: 'Choose fewer (-c <container>, --selector <labels>), or look at all of them every ten minutes: kubectl omen -j',
  })
}

/** Pods there are, but no log that could be read: says why. */
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
    return new Failure(
      'Data',
      `no container of ${podsIn(pods)} was started anew: there is no log of an instance before`,
      {
        hint: 'Leave --previous out to read the logs that there are',
      },
    )
  }
  const [first] = waiting
  const reason = first === undefined ? '' : ` (${first.name}: ${sanitize(first.reason)})`
  return new Failure('Data', `no container of ${podsIn(pods)} has started yet${reason}: there is no log`, {
    hint: `See what they wait for: kubectl describe pod ${pods[0]?.name} -n ${pods[0]?.namespace}`,
  })
}

function podsIn(pods: readonly Pod[]): string {
  const [first] = pods
  return pods.length === 1 ? `the pod ${first!.name}` : `these ${pods.length} pods`
}

/** Does something the first time alone. */
function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined
  return () => (done ??= work())
}
