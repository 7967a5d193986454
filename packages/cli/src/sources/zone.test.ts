import { afterEach, describe, expect, it } from 'vitest'
import { engineZone } from './zone.js'

const systemZone = process.env.TZ
afterEach(() => {
  if (systemZone === undefined) delete process.env.TZ
  else process.env.TZ = systemZone
})

describe('the zone of a file', () => {
  it('is UTC if none is given', () => {
    expect(engineZone(undefined)).toBe('UTC')
    expect(engineZone('Europe/Berlin')).toBe('Europe/Berlin')
  })

  it('is a function of the moment if it is local, and UTC if local clocks show UTC', () => {
    process.env.TZ = 'Europe/Berlin'
    const zone = engineZone('local')
    const at = (text: string) => Date.parse(text) / 1000
    expect(typeof zone === 'function' && [zone(at('2026-01-01')), zone(at('2026-07-01'))]).toEqual([3600, 7200])
    for (const utc of ['UTC', 'Etc/UTC', 'Africa/Abidjan']) {
      process.env.TZ = utc
      expect(engineZone('local')).toBe('UTC')
    }
    process.env.TZ = 'Europe/London'
    expect(typeof engineZone('local')).toBe('function')
  })

  it('is known without TZ', () => {
    process.env.TZ = 'Europe/Berlin'
    engineZone('local')
    delete process.env.TZ
    const isUtc = [0, 6].every((month) => new Date(Date.UTC(2026, month)).getTimezoneOffset() === 0)
    expect(typeof engineZone('local')).toBe(isUtc ? 'string' : 'function')
  })
})
