import { nearest } from '@omen/engine'
import type { PodsOptions } from '../command-line/command.js'
import { here, type Log } from '../console/log.js'
import { sanitize } from '../console/sanitize.js'
import { Failure } from '../failure.js'
import { quote } from '../settings/document/quote.js'
import type { Origin } from '../sources/origin.js'
import type { ResolvedSources } from '../sources/resolve-sources.js'
import type { Asking } from './api/ask.js'
import { connect } from './api/connect.js'
import { type ContainerSources, sourcesOf } from './containers.js'
import { explainLog } from './explain-log.js'
import { findChosen } from './find-chosen.js'
import type { Pod } from './pod.js'
import { type LogOptions, openLog } from './read-log.js'
import { readTypes } from './source-types.js'
import { readTargets } from './target.js'
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

/** Reads the pods of a cluster that the command line names, as an origin of sources. */
export function openCluster(options: PodsOptions, context: ClusterContext): Origin {
  const { log } = context
  const closing = new AbortController()
  const { since, until, tail, parallel = USUAL_PARALLEL } = options
  const targets = readTargets(options.targets)
  const types = readTypes(options.sourceTypes)
  let asking: Asking | undefined
  let close = async () => {}
  let places: ContainerSources['places'] = new Map()

  async function open(): Promise<{ readonly asking: Asking; readonly namespace: string }> {
    const { api, namespace } = await connect({ ...options, env: context.env, most: parallel })
    close = () => api.close()
    log.debug(here(), 'cluster reached', { by: api.way, namespace: options.namespace ?? namespace })
    asking = { api, signal: closing.signal, wait }
    return { asking, namespace: options.namespace ?? namespace }
  }

  return {
    parallel,
    async find(): Promise<ResolvedSources> {
      const cluster = await open()
      const { pods, problems, targetOf } = await findChosen(cluster, targets, options)
      const found = sourcesOf(pods, {
        containers: options.containers,
        previous: options.previous,
        types,
        window: context.window,
        stageOf: (pod: Pod) => targetOf.get(pod) ?? 'pods',
      })
      places = found.places
      const warnings = found.waiting.map(({ name, reason }) => `${name}: not started yet (${reason}): there is no log`)
      if (found.sources.length === 0 && problems.length === 0) throw nothingToRead(pods, found, options)
      return { sources: found.sources, problems, warnings, skipped: [] }
    },
    async open({ path }) {
      try {
        const place = places.get(path)!
        return await openLog(asking!, place, { since, until, tail, reading: context.reading })
      } catch (error) {
        throw explainLog(error, places.get(path)!)
      }
    },
    close() {
      closing.abort()
      return close()
    },
  }
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
