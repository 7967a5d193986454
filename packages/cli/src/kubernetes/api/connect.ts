import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { Failure } from '../../failure.js'
import type { Api } from './api.js'
import { isInCluster, openInCluster, ownNamespace } from './in-cluster.js'
import { type Kubectl, openRaw, runKubectl } from './kubectl.js'
import { openProxy } from './proxy.js'

/** The cluster and the user that the flags select. */
export interface ClusterChoice {
  readonly context: string | undefined
  readonly kubeconfig: string | undefined
  readonly as: string | undefined
  /** The namespace of the command line; without one, that of kubectl's context. */
  readonly namespace: string | undefined
  readonly env: Readonly<Record<string, string | undefined>>
  /** The maximum number of connections. */
  readonly maxConnections: number
}

export interface Connected {
  readonly api: Api
  /** The namespace of objects without one. */
  readonly namespace: string
}

/**
 * Connects to the cluster through the user's kubectl, or, in a pod without kubectl, with the service account.
 *
 * @example
 * const { api, namespace } = await connect({ ...options, env: process.env, maxConnections: 10 })
 */
export async function connect(choice: ClusterChoice): Promise<Connected> {
  const { env, maxConnections } = choice
  if (!isOnPath('kubectl', env)) {
    if (!isInCluster(env)) throw noKubectl()
    refuseChoice(choice)
    return { api: openInCluster(env, maxConnections), namespace: choice.namespace ?? ownNamespace(env) ?? 'default' }
  }
  const kubectl: Kubectl = { program: 'kubectl', flags: flagsFor(choice), env }
  const [proxy, namespace] = await Promise.all([
    openProxy(kubectl, maxConnections),
    choice.namespace ?? configuredNamespace(kubectl),
  ])
  return { api: proxy ?? openRaw(kubectl), namespace: namespace ?? ownNamespace(env) ?? 'default' }
}

function flagsFor({ context, kubeconfig, as }: ClusterChoice): readonly string[] {
  const flags = { context, kubeconfig, as }
  return Object.entries(flags).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}=${value}`]))
}

async function configuredNamespace(kubectl: Kubectl): Promise<string | undefined> {
  const { status, out } = await runKubectl(kubectl, ['config', 'view', '--minify', '-o', 'jsonpath={..namespace}'])
  const name = out.trim()
  // Any other output is ignored: the first request to the cluster reports a broken kubectl.
  return status === 0 && /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(name) ? name : undefined
}

function noKubectl(): Failure {
  return new Failure('Cluster', 'kubectl is not on the PATH', {
    hint: 'Install it (https://kubernetes.io/docs/tasks/tools), or pipe a log in: <program> | omen',
  })
}

function refuseChoice(choice: ClusterChoice): void {
  const flag = (['context', 'kubeconfig', 'as'] as const).find((name) => choice[name] !== undefined)
  if (flag === undefined) return
  throw new Failure('Cluster', `--${flag} needs kubectl, which is not on the PATH`, {
    hint: 'Without kubectl, omen uses the service account of this pod.',
  })
}

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
