import { homedir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'

export type Environment = Readonly<Record<string, string | undefined>>

/**
 * The home of the user: `$HOME`, else what the system says. A container often runs as a user that the system does not know:
 * its home is `/`, so that a configuration mounted at `/.preq` is found.
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
 * Where the tool keeps its things: `$OMEN_CONFIG_DIR`, else `.preq` in the home. Always absolute.
 *
 * @example
 * configurationFolder({ HOME: '/home/ada' }) // '/home/ada/.preq'
 */
export function configurationFolder(env: Environment, home: string = homeFolder(env)): string {
  return env.OMEN_CONFIG_DIR ? resolvePath(env.OMEN_CONFIG_DIR, '.', home) : resolve(home, '.preq')
}

/**
 * Makes a path of a file absolute: `~/` is the home, anything else that is relative starts at `folder`.
 *
 * @example
 * resolvePath('../rules', '/etc/omen', '/root') // '/etc/rules'
 */
export function resolvePath(path: string, folder: string, home: string): string {
  if (path === '~') return resolve(home)
  if (path.startsWith('~/')) return resolve(home, path.slice(2))
  return isAbsolute(path) ? resolve(path) : resolve(join(folder, path))
}
