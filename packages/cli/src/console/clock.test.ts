import { afterEach, expect, it } from 'vitest'
import { localOffset } from './clock.js'

const zone = process.env.TZ
afterEach(() => {
  if (zone === undefined) delete process.env.TZ
  else process.env.TZ = zone
})

it.each([
  ['UTC', 1_772_366_401_000_000_000n, 0],
  ['Asia/Kolkata', 1_772_366_401_000_000_000n, 330],
  ['America/New_York', 1_772_366_401_000_000_000n, -300],
  ['America/New_York', 1_782_734_401_000_000_000n, -240],
])('the offset of %s at %d is %d minutes', (name, time, minutes) => {
  process.env.TZ = name
  expect(localOffset(time)).toBe(minutes)
})
