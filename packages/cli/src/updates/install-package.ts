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
import type { InstallContext } from './context.js'
import { fetchVerified } from './fetch-verified.js'
import { partFile } from './part-file.js'
import { verifyHashFile } from './verify.js'

/** Rules of an organization are nobody else's business. */
const MODES = { public: 0o644, private: 0o600 } as const

const NAMES = { public: 'rules', private: 'private rules' } as const

/**
 * Installs a package of rules: downloads it to a temporary file, verifies size, hash and signature, compiles it, alone and with
 * the rules beside which it will run, and renames it into place, after its `.sha256` and `.sig`: as long as it is not there
 * itself, nobody looks at them. Then older packages than the one before go. Rejects with a `Failure`, and all is as it was.
 *
 * @example
 * await installPackage('public', announcement.rules, context)
 */
export async function installPackage(kind: PackageKind, offer: PackageOffer, context: InstallContext): Promise<void> {
  const { service, session, limits, signal } = context
  const { folder, settings } = session.loaded
  const { file } = offer
  const hashFile = await service.small(offer.sha256Url, `${file}.sha256`, signal)
  verifyHashFile(hashFile.toString(), offer)
  const part = partFile(join(folder, `.${file}.part`), MODES[kind])
  const label = `Downloading ${NAMES[kind]} ${offer.version}`
  const signature = await fetchVerified({ ...offer, label, total: limits.download.rules }, part, context)
  try {
    const fresh = { name: file, bytes: readFileSync(part.path) }
    await checkAlone(fresh, offer)
    await checkTogether(kind, fresh, context)
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

/** Who has signed a package may still have packed it wrongly, or announce an old one as new. */
async function checkAlone(fresh: RuleFile, { file, version }: PackageOffer): Promise<void> {
  const rules = await compileRules([fresh], { requireIds: true }).catch((error: unknown) => {
    if (!(error instanceof RulesError)) throw error
    throw new Failure('Rules', `${describeRulesProblem(error.problems[0]!)}: not installed`, { cause: error })
  })
  if (rules.version === version) return
  const found = rules.version === undefined ? 'no version' : `version ${rules.version}`
  throw new Failure('Rules', `${file}: there is ${found} inside, and ${version} was announced: not installed`)
}

/** Two rules with one id stop every scan: better the old package than none. */
async function checkTogether(kind: PackageKind, fresh: RuleFile, { session }: InstallContext): Promise<void> {
  try {
    await compileRules(besideOthers(kind, fresh, session.loaded))
  } catch (error) {
    const repeated = error instanceof RulesError && error.problems.find(({ code }) => code === 'duplicate-rule')
    // Whatever else is wrong with the other rules is no reason to refuse this package: the scan tells of it.
    if (!repeated) return
    const { message } = repeated
    throw new Failure('Rules', `${fresh.name}: it repeats a rule that you have: ${message}: not installed`)
  }
}

/** All rules that a scan would run with the new package in its place. */
function besideOthers(kind: PackageKind, fresh: RuleFile, loaded: InstallContext['session']['loaded']): RuleFile[] {
  const { folder, settings } = loaded
  const { rulesVersion, disableCommunityRules, rulesPaths } = settings
  const [own] = findPackages(folder, 'private')
  const community = () => (kind === 'public' ? fresh : communityRules(folder, { rulesVersion }).file)
  const organization = () => (kind === 'private' ? [fresh] : own ? [readRuleFile(own.path)] : [])
  return [...(disableCommunityRules ? [] : [community()]), ...organization(), ...rulesPaths.flatMap(readRuleFiles)]
}
