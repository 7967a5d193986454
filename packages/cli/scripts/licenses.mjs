// The licenses of the libraries that are bundled into the tool, which must be distributed with it.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const PACKAGE = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/
const LICENSE_FILE = /^(licen[cs]e|copying|notice)/i

/**
 * The license texts of all packages that contain these modules, sorted by package name.
 *
 * @example
 * thirdPartyLicenses(['/home/me/omen/node_modules/yaml/dist/index.js'])
 */
export function thirdPartyLicenses(modules) {
  const folders = new Set(modules.map((id) => PACKAGE.exec(id)?.[0]).filter((folder) => folder !== undefined))
  const packages = [...folders].map(describe).sort((a, b) => (a.title < b.title ? -1 : 1))
  const texts = packages.map(
    ({ title, text }) => `${'='.repeat(title.length)}\n${title}\n${'='.repeat(title.length)}\n\n${text}\n`,
  )
  return `omen contains the following libraries.\n\n${texts.join('\n')}`
}

function describe(folder) {
  const { name, version, license, author, repository } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  if (!license) throw new Error(`${name} states no license`)
  const files = readdirSync(folder).filter((file) => LICENSE_FILE.test(file))
  const texts = files.sort().map((file) => readFileSync(join(folder, file), 'utf8').trim())
  const source = repository?.url ?? repository ?? 'unknown'
  // Some packages only name their license.
  const statement = `License: ${license}. Author: ${author?.name ?? author ?? 'unknown'}. Source: ${source}`
  return { title: `${name} ${version} (${license})`, text: texts.length > 0 ? texts.join('\n\n') : statement }
}
