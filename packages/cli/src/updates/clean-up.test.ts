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
const remaining = () => readdirSync(folder).sort()

describe('old packages', () => {
  it('are removed, except the previous one, the pinned one and those of the other kind', () => {
    put(...['1.0.0', '1.1.0', '1.9.0', '1.10.0'].flatMap((version) => all(version)), ...all('1.0.0', 'private'))
    removeOldPackages(folder, { kind: 'public', version: '1.10.0', keep: '1.0.0' })
    expect(remaining()).toEqual([...all('1.0.0', 'private'), ...all('1.0.0'), ...all('1.10.0'), ...all('1.9.0')].sort())
  })
})

describe('leftovers', () => {
  it('are removed; files that are wanted, in use or of other programs stay', () => {
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
    expect(remaining()).toEqual(kept.sort())
  })

  it('that a process may still write are removed after a day', () => {
    put(`.${name('1.5.0')}.sig.abc.tmp`, '.updates.json.abc.tmp')
    const now = Date.now()
    removeLeftovers(folder, [], now)
    expect(remaining()).toHaveLength(2)
    const old = new Date(now - 25 * 3_600_000)
    for (const file of remaining()) utimesSync(join(folder, file), old, old)
    removeLeftovers(folder, [], now)
    expect(remaining()).toEqual([])
  })

  it('are not searched in a folder that does not exist', () => {
    expect(() => removeLeftovers(join(folder, 'missing'), [])).not.toThrow()
  })
})
