import { compareVersions } from '@omen/engine/versions'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { useRules } from '../../../test/rules-context.js'
import { communityRules } from './community-rules.js'

const folder = useRules()

const footer = (version: string) => `---\nsection: version\ncontent:\n  - version: ${version}\n`
const bundledAs = (version?: string) => () => ({
  name: 'bundled rules',
  bytes: Buffer.from(`rules: []\n${version === undefined ? '' : footer(version)}`),
})

function install(name: string, ...versions: string[]): string {
  for (const version of versions) folder.write(`${name}/omen-public-cre-rules.${version}.9f2c11.yaml.gz`, version)
  folder.write(`${name}/config.yaml`, '')
  return folder.path(name)
}

describe('the community rules', () => {
  it('are the bundled ones if no package is installed', () => {
    const chosen = communityRules(install('none'), { bundled: bundledAs('1.2.0') })
    expect(chosen).toMatchObject({ version: '1.2.0', file: { name: 'bundled rules' } })
    expect(communityRules('/nowhere', { bundled: bundledAs() }).version).toBeUndefined()
    expect(communityRules(undefined, { bundled: bundledAs() }).file.name).toBe('bundled rules')
  })

  it('are the newest package if it is newer than the bundled one', () => {
    const at = install('several', '1.9.0', '1.10.0', '1.10.0-rc.1')
    expect(communityRules(at, { bundled: bundledAs('1.2.0') }).version).toBe('1.10.0')
    expect(communityRules(at, { bundled: bundledAs() }).file.name).toContain('rules.1.10.0.9f2c11')
    expect(communityRules(at, { bundled: bundledAs('2.0.0') }).file.name).toBe('bundled rules')
    expect(communityRules(at, { bundled: bundledAs('1.10.0') }).file.name).toBe('bundled rules')
  })

  it('are those of rulesVersion, if that version is installed', () => {
    const at = install('pinned', '1.4.0', '1.5.0')
    const pinned = (rulesVersion: string) => communityRules(at, { rulesVersion, bundled: bundledAs('1.2.0') })
    expect(pinned('1.4.0').version).toBe('1.4.0')
    expect(pinned('v1.5.0').version).toBe('1.5.0')
    expect(pinned('1.2.0').file.name).toBe('bundled rules')
    expect(pinned('1.2.0').warning).toBeUndefined()
    expect(pinned('1.3.0').warning).toBe('rulesVersion: package 1.3.0 is not installed, so version 1.2.0 is used')
  })
})

it('packages are ordered by semantic versioning', () => {
  const ordered = [
    '0.9.0',
    '1.0.0-alpha',
    '1.0.0-alpha.1',
    '1.0.0-beta.2',
    '1.0.0-beta.11',
    '1.0.0',
    '1.0.10',
    '1.10.0',
  ]
  expect(ordered.toReversed().sort(compareVersions)).toEqual(ordered)
  const version = fc.constantFrom(...ordered, '1.0.0+build')
  fc.assert(
    fc.property(version, version, (a, b) => Math.sign(compareVersions(a, b)) === -Math.sign(compareVersions(b, a))),
  )
})
