import { readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { compileRules, RulesError } from '@omen/engine'
import { Failure } from '../failure.js'
import { syncFolder, writeFileAtomically } from '../output/write-file.js'
import { communityRules } from '../rules/loading/community-rules.js'
import { describeRulesProblem } from '../rules/loading/installed-rules.js'
import { findPackages, type PackageKind } from '../rules/loading/packages.js'
import { type RuleFile, readRuleFile, readRuleFiles } from '../rules/loading/rule-files.js'
import type { PackageOffer } from './announcement.js'
import { removeOldPackages } from './clean-up.js'
import { fetchVerified, verifyHashFile } from './fetch-verified.js'
import type { InstallContext } from './install-offers.js'
import { partFile } from './part-file.js'

/** Only the owner may read the rules of an organization. */
const MODES = { public: 0o644, private: 0o600 } as const

const NAMES = { public: 'rules', private: 'private rules' } as const

/**
 * Installs a package of rules: downloads it to a temporary file, verifies size, hash and signature, compiles it, alone and with the
 * other rules of a scan, and renames it after its `.sha256` and `.sig` are written. Then old packages except the previous one are
 * removed. If it rejects with a `Failure`, nothing has changed.
 *
 * @example
 * await installPackage('public', announcement.rules, context)
 */
export async function installPackage(kind: PackageKind, offer: PackageOffer, context: InstallContext): Promise<void> {
  const { service, session, limits, signal } = context
  const { folder, settings } = session.loaded
  const { file } = offer
  const hashFile = await service.readSmall(offer.sha256Url, `${file}.sha256`, signal)
  verifyHashFile(hashFile.toString(), offer)
  const part = partFile(join(folder, `.${file}.part`), MODES[kind])
  const label = `Downloading ${NAMES[kind]} ${offer.version}`
  const signature = await fetchVerified({ ...offer, label, total: limits.download.rules }, part, context)
  try {
    const ruleFile = { name: file, bytes: readFileSync(part.path) }
    await checkAlone(ruleFile, offer)
    await checkTogether(kind, ruleFile, context)
  } catch (error) {
    part.discard()
    throw error
  }
  await writeFileAtomically(join(folder, `${file}.sha256`), [hashFile], { mode: MODES[kind] })
  await writeFileAtomically(join(folder, `${file}.sig`), [signature], { mode: MODES[kind] })
  renameSync(part.path, join(folder, file))
  syncFolder(folder)
  part.discard()
  removeOldPackages(folder, { kind, version: offer.version, keep: settings.rulesVersion })
}

/** A signed package may still be packed wrongly, or be an old one that is announced as new. */
async function checkAlone(ruleFile: RuleFile, { file, version }: PackageOffer): Promise<void> {
  const rules = await compileRules([ruleFile], { requireIds: true }).catch((error: unknown) => {
    if (!(error instanceof RulesError)) throw error
    throw new Failure('Rules', `${describeRulesProblem(error.problems[0]!)}: not installed`, { cause: error })
  })
  if (rules.version === version) return
  const found = rules.version === undefined ? 'no version' : `version ${rules.version}`
  throw new Failure('Rules', `${file}: it contains ${found}, but ${version} was announced: not installed`)
}

/** Two rules with the same ID would stop every scan. */
async function checkTogether(kind: PackageKind, ruleFile: RuleFile, { session }: InstallContext): Promise<void> {
  try {
    await compileRules(rulesOfScan(kind, ruleFile, session.loaded))
  } catch (error) {
    const repeated = error instanceof RulesError && error.problems.find(({ code }) => code === 'duplicate-rule')
    // Other errors in the user's rules do not concern this package: the scan reports them.
    if (!repeated) return
    const { message } = repeated
    throw new Failure('Rules', `${ruleFile.name}: it contains a rule that you already have: ${message}: not installed`)
  }
}

/** All rules of a scan after the installation of a package. */
function rulesOfScan(kind: PackageKind, ruleFile: RuleFile, loaded: InstallContext['session']['loaded']): RuleFile[] {
  const { folder, settings } = loaded
  const { rulesVersion, disableCommunityRules, rulesPaths } = settings
  const [own] = findPackages(folder, 'private')
  const community = () => (kind === 'public' ? ruleFile : communityRules(folder, { rulesVersion }).file)
  const organization = () => (kind === 'private' ? [ruleFile] : own ? [readRuleFile(own.path)] : [])
  return [...(disableCommunityRules ? [] : [community()]), ...organization(), ...rulesPaths.flatMap(readRuleFiles)]
}
