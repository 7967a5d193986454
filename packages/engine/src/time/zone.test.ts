import { describe, expect, it } from 'vitest'
import { checkZone, openZone } from './zone.js'

const local = (text: string) => Date.parse(`${text}Z`) / 1000

describe('a time zone', () => {
  it('has one stretch if its offset is fixed', () => {
    for (const [name, offset] of [
      ['UTC', 0],
      ['utc', 0],
      ['+02:00', 7200],
      ['-0930', -34_200],
      ['+2', 7200],
    ] as const) {
      const zone = openZone(name)
      expect(zone.isFixed).toBe(true)
      expect(zone.stretchAt(0)).toMatchObject({ offset, secondOffset: offset })
      expect(zone.localAt(0)).toBe(offset)
    }
  })

  it('has a stretch of its own for an hour that occurs twice', () => {
    const { stretchAt } = openZone('Europe/Berlin')
    const before = stretchAt(local('2026-10-25T01:59:59'))
    const repeated = stretchAt(local('2026-10-25T02:00:00'))
    const after = stretchAt(local('2026-10-25T03:00:00'))
    expect(before).toMatchObject({ to: local('2026-10-25T02:00:00'), offset: 7200, secondOffset: 7200 })
    expect(repeated).toEqual({ from: before.to, to: after.from, offset: 7200, secondOffset: 3600 })
    expect(after).toMatchObject({ from: local('2026-10-25T03:00:00'), offset: 3600, secondOffset: 3600 })
  })

  it('has skipped times in the stretch before them', () => {
    const { stretchAt } = openZone('Europe/Berlin')
    expect(stretchAt(local('2026-03-29T02:59:59'))).toMatchObject({ to: local('2026-03-29T03:00:00'), offset: 3600 })
    expect(stretchAt(local('2026-03-29T03:00:00'))).toMatchObject({ from: local('2026-03-29T03:00:00'), offset: 7200 })
  })

  it('may skip a whole day', () => {
    const { stretchAt } = openZone('Pacific/Apia')
    expect(stretchAt(local('2011-12-30T12:00:00'))).toMatchObject({ to: local('2011-12-31T00:00:00'), offset: -36_000 })
    expect(stretchAt(local('2011-12-31T00:00:00'))).toMatchObject({ offset: 50_400 })
  })

  it('knows the offset of local mean time to the second', () => {
    expect(openZone('Europe/Berlin').stretchAt(local('1880-01-01T00:00:00')).offset).toBe(3208)
  })

  it.each([
    ['Europe/Berln', 'unknown time zone "Europe/Berln". Did you mean Europe/Berlin?'],
    ['new-york', 'unknown time zone "new-york". Did you mean America/New_York?'],
    ['berlin', 'unknown time zone "berlin". Did you mean Europe/Berlin?'],
    ['+24:00', 'unknown time zone "+24:00": write a name such as Europe/Berlin, an offset such as +02:00, or UTC'],
    [
      'nowhere at all',
      'unknown time zone "nowhere at all": write a name such as Europe/Berlin, an offset such as +02:00, or UTC',
    ],
    ['', 'unknown time zone "": write a name such as Europe/Berlin, an offset such as +02:00, or UTC'],
  ])('%j is refused with the nearest name', (name, message) => {
    expect(() => checkZone(name)).toThrow(message)
    expect(() => openZone(name)).toThrow(message)
  })
})
