import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { Failure } from '../../failure.js'
import type { Api } from './api.js'
import { isInCluster, openInCluster, ownNamespace } from './in-cluster.js'
import { callKubectl, type Kubectl } from './kubectl.js'
import { openProxy } from './proxy.js'
import { openRaw } from './raw.js'

/** Which cluster, and as whom: what the flags say. */
export interface ClusterChoice {
  readonly context: string | undefined
  readonly kubeconfig: string | undefined
  readonly as: string | undefined
  /** The namespace, where one is named or none is needed: kubectl is asked for its own otherwise. */
  readonly namespace: string | undefined
  readonly env: Readonly<Record<string, string | undefined>>
  /** So many connections at once, no more. */
  readonly most: number
}

/** An open way to a cluster. */
export interface Connected {
  readonly api: Api
  /** The namespace that is meant when none is named. */
  readonly namespace: string
}

/**
 * Opens the way to the cluster: through the user's own kubectl, or, in a pod without one, by the service account.
 *
 * @example
 * const { api, namespace } = await connect({ ...options, env: process.env, most: 10 })
 */
export async function connect(choice: ClusterChoice): Promise<Connected> {
  const { env, most } = choice
  if (!isOnPath('kubectl', env)) {
    if (!isInCluster(env)) throw noKubectl()
    refuseChoice(choice)
    return { api: openInCluster(env, most), namespace: choice.namespace ?? ownNamespace(env) ?? 'default' }
  }
  const kubectl: Kubectl = { program: 'kubectl', flags: flagsFor(choice), env }
  const [proxy, namespace] = await Promise.all([
    openProxy(kubectl, most),
    choice.namespace ?? configuredNamespace(kubectl),
  ])
  return { api: proxy ?? openRaw(kubectl), namespace: namespace ?? ownNamespace(env) ?? 'default' }
}

function flagsFor({ context, kubeconfig, as }: ClusterChoice): readonly string[] {
  const flags = { context, kubeconfig, as }
  return Object.entries(flags).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}=${value}`]))
}

async function configuredNamespace(kubectl: Kubectl): Promise<string | undefined> {
  const { status, out } = await callKubectl(kubectl, ['config', 'view', '--minify', '-o', 'jsonpath={..namespace}'])
  const name = out.trim()
  // Whatever else it says is none: a kubectl that is broken is found out when something is asked of the cluster.
  return status === 0 && /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(name) ? name : undefined
}

function noKubectl(): Failure {
  return new Failure('Cluster', 'there is no kubectl on the PATH', {
    hint: 'Install it (https://kubernetes.io/docs/tasks/tools), or pipe a log in: <program> | omen',
  })
}

function refuseChoice(choice: ClusterChoice): void {
  const flag = (['context', 'kubeconfig', 'as'] as const).find((name) => choice[name] !== undefined)
  if (flag === undefined) return
  throw new Failure('Cluster', `--${flag} needs kubectl, and there is none on the PATH`, {
    hint: 'Without it, the service account of this pod is used.',
  })
}

/** Whether a program can be found. */
function isOnPath(program: string, { PATH = '', PATHEXT = '' }: ClusterChoice['env']): boolean {
  const endings = process.platform === 'win32' ? PATHEXT.split(';') : ['']
  return PATH.split(delimiter).some(
    (folder) => folder !== '' && endings.some((ending) => isExecutable(join(folder, program + ending))),
  )
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
