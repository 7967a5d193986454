import type { Session } from '../session.js'
import { communityRules } from './community-rules.js'
import { findPackages } from './packages.js'

/** A package of rules that a scan would use. */
export interface InstalledPackage {
  readonly name: 'Community rules' | 'Private rules'
  readonly version: string | undefined
  /** Where it lies, or that it comes with the tool. */
  readonly path: string
}

/**
 * The packages that a scan would use: the community's, unless they are left out, and the organization's, where there is one.
 *
 * @example
 * installedPackages(loaded, { disabled: false }) // [{ name: 'Community rules', version: '1.0.0', path: 'bundled rules' }]
 */
export function installedPackages(
  { folder, settings }: Session['loaded'],
  { disabled }: { readonly disabled: boolean },
): readonly InstalledPackage[] {
  const { rulesVersion, disableCommunityRules } = settings
  const packages: InstalledPackage[] = []
  if (!disabled && !disableCommunityRules) {
    const { file, version } = communityRules(folder, { rulesVersion })
    packages.push({ name: 'Community rules', version, path: file.name })
  }
  const [own] = findPackages(folder, 'private')
  if (own) packages.push({ name: 'Private rules', version: own.version, path: own.path })
  return packages
}
