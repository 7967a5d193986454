import { compareVersions } from '@omen/engine/versions'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Announcement, PackageOffer } from './announcement.js'
import { isCheckDue } from './begin-updates.js'
import { compareOffers, type InstallationState, newsOf } from './offers.js'

const url = new URL('https://omen.example.com/x')

function packageOf(version: string): PackageOffer {
  return { version, file: 'f', size: 1, sha256: '', url, sha256Url: url, sigUrl: url, notes: undefined }
}

const nothing: Announcement = { rules: undefined, private: undefined, tool: undefined }
const installation: InstallationState = {
  installed: { rules: '1.4.0', private: undefined, tool: '0.2.0' },
  rulesVersion: undefined,
  declined: undefined,
  platform: 'linux-x64',
}

function verdictOf(version: string, change: Partial<InstallationState> = {}) {
  return compareOffers({ ...nothing, rules: packageOf(version) }, { ...installation, ...change })[0]?.verdict
}

describe('an offer', () => {
  it('is new, current or older, depending on its version', () => {
    expect(['1.5.0', '1.4.0', '1.3.9', '1.4.0-rc.1'].map((version) => verdictOf(version))).toEqual([
      'new',
      'current',
      'older',
      'older',
    ])
    expect(verdictOf('0.1.0', { installed: { ...installation.installed, rules: undefined } })).toBe('new')
  })

  it('is never a downgrade', () => {
    const version = fc.tuple(fc.nat(3), fc.nat(3), fc.nat(3)).map((parts) => parts.join('.'))
    const pin = fc.option(version, { nil: undefined })
    fc.assert(
      fc.property(version, version, pin, (offered, installed, rulesVersion) => {
        const verdict = verdictOf(offered, { installed: { ...installation.installed, rules: installed }, rulesVersion })
        if (verdict !== 'new') return
        expect(compareVersions(offered, installed)).toBeGreaterThan(0)
        expect(rulesVersion ?? offered).toBe(offered)
      }),
    )
  })

  it('of another version than rulesVersion is pinned, for the community rules only', () => {
    const offers = compareOffers(
      { ...nothing, rules: packageOf('1.6.0'), private: packageOf('1.6.0') },
      { ...installation, rulesVersion: '1.5.0' },
    )
    expect(offers.map(({ kind, verdict }) => [kind, verdict])).toEqual([
      ['rules', 'pinned'],
      ['private', 'new'],
    ])
    expect(verdictOf('1.5.0', { rulesVersion: '1.5.0' })).toBe('new')
  })

  it('of the tool is for this platform, or for an installation without an executable', () => {
    const file = { platform: 'linux-x64', size: 9, sha256: '', url, sigUrl: url }
    const tool = { version: '0.3.0', files: [file], notes: undefined }
    const verdict = (platform: string | undefined) =>
      compareOffers({ ...nothing, tool }, { ...installation, platform }).map(({ verdict, size }) => [verdict, size])
    expect(verdict('linux-x64')).toEqual([['new', 9]])
    expect(verdict('darwin-arm64')).toEqual([['elsewhere', undefined]])
    expect(verdict(undefined)).toEqual([['new', undefined]])
  })

  it('is news unless the user declined it', () => {
    const news = (version: string, declined = {}) =>
      newsOf(compareOffers({ ...nothing, rules: packageOf(version) }, { ...installation, declined }))
    expect(news('1.4.0')).toBe('none')
    expect(news('1.5.0')).toBe('some')
    expect(news('1.5.0', { rules: '1.5.0' })).toBe('declined')
    expect(news('1.6.0', { rules: '1.5.0' })).toBe('some')
  })
})

describe('a check', () => {
  const service = 'https://omen.example.com'
  const hour = 3_600_000
  const day = 24n * 3_600_000_000_000n

  it.each([
    ['was never made', {}, true],
    ['was made a millisecond ago', { checked: 100 * hour - 1 }, false],
    ['was made a day ago, to the millisecond', { checked: 76 * hour }, true],
    ['was made a millisecond less than a day ago', { checked: 76 * hour + 1 }, false],
    ['was made in the future, while the clock was wrong', { checked: 101 * hour }, true],
    ['is outdated', { checked: 100 * hour - 1, outdated: true }, true],
  ])('that %s', (_, state, isDue) => {
    expect(isCheckDue({ service, ...state }, day, 100 * hour)).toBe(isDue)
  })

  it('is never due if the settings turn it off', () => {
    expect(isCheckDue({ service }, 0n, 100 * hour)).toBe(false)
  })
})
