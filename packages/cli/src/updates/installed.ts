import { compareVersions } from '@omen/engine/versions'
import { bundledVersion } from '../rules/loading/community-rules.js'
import { findPackages } from '../rules/loading/packages.js'
import { VERSION } from '../version.js'
import type { Installed } from './offers.js'

/**
 * What is installed: the newest packages in the configuration directory, the rules that come with the tool, the tool itself.
 *
 * @example
 * installedVersions('/home/ada/.preq') // { rules: '1.4.0', private: undefined, tool: '0.1.0' }
 */
export function installedVersions(folder: string, bundled: string | undefined = bundledVersion()): Installed {
  const [community] = findPackages(folder, 'public')
  const [own] = findPackages(folder, 'private')
  const known = [community?.version, bundled].filter((version) => version !== undefined)
  return { rules: known.sort(compareVersions).at(-1), private: own?.version, tool: VERSION }
}
