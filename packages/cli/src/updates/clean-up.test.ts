import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { removeLeftovers, removeOldPackages } from './clean-up.js'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'omen-clean-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function put(...names: string[]): void {
  for (const name of names) writeFileSync(join(folder, name), '')
}

const name = (version: string, kind = 'public') => `omen-${kind}-cre-rules.${version}.aaaaaaaaaaaa.yaml.gz`
const all = (version: string, kind?: string) => ['', '.sha256', '.sig'].map((end) => name(version, kind) + end)
const left = () => readdirSync(folder).sort()

describe('old packages', () => {
  it('go, but for the one before, the one that is stayed on, and those of the other kind', () => {
    put(...['1.0.0', '1.1.0', '1.9.0', '1.10.0'].flatMap((version) => all(version)), ...all('1.0.0', 'private'))
    removeOldPackages(folder, { kind: 'public', version: '1.10.0', keep: '1.0.0' })
    expect(left()).toEqual([...all('1.0.0', 'private'), ...all('1.0.0'), ...all('1.10.0'), ...all('1.9.0')].sort())
  })
})

describe('leftovers', () => {
  it('go, and what is wanted, in use or not ours stays', () => {
    const wanted = name('1.5.0')
    const kept = [`.${wanted}.part`, `.${wanted}.part.etag`, ...all('1.4.0'), 'config.yaml', '.ruletoken', '.mine.tmp']
    put(
      ...kept,
      `.${name('1.4.5')}.part`,
      `.${name('1.4.5')}.part.etag`,
      `${name('1.3.0')}.sig`,
      `${name('1.3.0')}.sha256`,
    )
    removeLeftovers(folder, [wanted])
    expect(left()).toEqual(kept.sort())
  })

  it('that are being written may belong to somebody: they go after a day', () => {
    put(`.${name('1.5.0')}.sig.abc.tmp`, '.updates.json.abc.tmp')
    const now = Date.now()
    removeLeftovers(folder, [], now)
    expect(left()).toHaveLength(2)
    const old = new Date(now - 25 * 3_600_000)
    for (const file of left()) utimesSync(join(folder, file), old, old)
    removeLeftovers(folder, [], now)
    expect(left()).toEqual([])
  })

  it('of a folder that is not there are none', () => {
    expect(() => removeLeftovers(join(folder, 'missing'), [])).not.toThrow()
  })
})
