import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '../../failure.js'
import type { Api } from './api.js'
import { createHttpApi } from './over-http.js'

/** Where Kubernetes mounts the service account of a pod. */
export const SERVICE_ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount'

type Environment = Readonly<Record<string, string | undefined>>

/** Whether this runs in a pod that has a service account. */
export function isInCluster(env: Environment, folder = SERVICE_ACCOUNT): boolean {
  return env.KUBERNETES_SERVICE_HOST !== undefined && existsSync(join(folder, 'token'))
}

/** The namespace of the pod that this runs in; undefined outside of one. */
export function ownNamespace(env: Environment, folder = SERVICE_ACCOUNT): string | undefined {
  if (!isInCluster(env, folder)) return undefined
  try {
    return readFileSync(join(folder, 'namespace'), 'utf8').trim() || undefined
  } catch {
    return undefined
  }
}

/**
 * Opens the way to the API server from within a pod, by the token that is mounted there. The token is read for every request:
 * it is replaced every hour or so.
 *
 * @example
 * if (isInCluster(env)) return openInCluster(env, 10)
 */
export function openInCluster(env: Environment, most: number, folder = SERVICE_ACCOUNT): Api {
  const ca = read(join(folder, 'ca.crt'))
  return createHttpApi({
    way: 'service account',
    isSecure: true,
    most,
    options: () => ({
      host: env.KUBERNETES_SERVICE_HOST,
      port: env.KUBERNETES_SERVICE_PORT_HTTPS ?? env.KUBERNETES_SERVICE_PORT ?? '443',
      ca,
      headers: { authorization: `Bearer ${read(join(folder, 'token')).trim()}` },
    }),
    close: async () => {},
  })
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new Failure('Cluster', `the service account of this pod cannot be read: ${path}`, { cause: error })
  }
}
