import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '../../failure.js'
import type { Api } from './api.js'
import { createHttpApi } from './over-http.js'

/** Where Kubernetes mounts the service account of a pod. */
export const SERVICE_ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount'

type Environment = Readonly<Record<string, string | undefined>>

/** Whether omen runs in a pod with a service account. */
export function isInCluster(env: Environment, folder = SERVICE_ACCOUNT): boolean {
  return env.KUBERNETES_SERVICE_HOST !== undefined && existsSync(join(folder, 'token'))
}

/** The namespace of the pod in which omen runs; undefined outside of a pod. */
export function ownNamespace(env: Environment, folder = SERVICE_ACCOUNT): string | undefined {
  if (!isInCluster(env, folder)) return undefined
  try {
    return readFileSync(join(folder, 'namespace'), 'utf8').trim() || undefined
  } catch {
    return undefined
  }
}

/**
 * Connects to the API server from a pod, with the token that is mounted there. The token is read for every request, because it
 * is replaced about every hour.
 *
 * @example
 * if (isInCluster(env)) return openInCluster(env, 10)
 */
export function openInCluster(env: Environment, maxConnections: number, folder = SERVICE_ACCOUNT): Api {
  const ca = read(join(folder, 'ca.crt'))
  return createHttpApi({
    transport: 'service account',
    isSecure: true,
    maxConnections,
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
