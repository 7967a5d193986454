import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'

export type Environment = Readonly<Record<string, string | undefined>>

/**
 * The home folder: `$HOME`, else the one from the system. A container often runs as a user that the system does not know; its
 * home is `/`, so that a configuration mounted at `/.preq` is found.
 */
export function homeFolder(env: Environment): string {
  if (env.HOME) return env.HOME
  try {
    return homedir() || '/'
  } catch {
    return '/'
  }
}

/**
 * The absolute path of the configuration folder: `$OMEN_CONFIG_DIR`, else `.preq` in the home folder; in a pod without it,
 * `/.preq` if that is mounted.
 *
 * @example
 * configurationFolder({ HOME: '/home/ada' }) // '/home/ada/.preq'
 */
export function configurationFolder(
  env: Environment,
  home: string = homeFolder(env),
  exists: (path: string) => boolean = existsSync,
): string {
  if (env.OMEN_CONFIG_DIR) return resolvePath(env.OMEN_CONFIG_DIR, '.', home)
  const own = resolve(home, '.preq')
  const isInPod = env.KUBERNETES_SERVICE_HOST !== undefined
  return isInPod && !exists(own) && exists(MOUNTED) ? MOUNTED : own
}

/** Where the scheduled job mounts the configuration. */
const MOUNTED = '/.preq'

/**
 * Makes a path absolute: `~/` is the home folder, and other relative paths start at `folder`.
 *
 * @example
 * resolvePath('../rules', '/etc/omen', '/root') // '/etc/rules'
 */
export function resolvePath(path: string, folder: string, home: string): string {
  if (path === '~') return resolve(home)
  if (path.startsWith('~/')) return resolve(home, path.slice(2))
  return isAbsolute(path) ? resolve(path) : resolve(join(folder, path))
}
