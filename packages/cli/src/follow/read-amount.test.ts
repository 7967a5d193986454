import type { Progress } from '@omen/engine'
import { expect, it } from 'vitest'
import { createReadAmount } from './read-amount.js'

it('what several logs have been read with one detector adds up, although it starts at zero for each', () => {
  const amount = createReadAmount()
  const detector: { progress: Progress } = {
    progress: {
      bytes: 0,
      lines: 0,
      entries: 0,
      inRange: 0,
      late: 0,
      first: undefined,
      last: undefined,
      formats: [],
      folded: 0,
    },
  }
  const read = (progress: Partial<Progress>) =>
    amount.during(detector, () => {
      detector.progress = { ...detector.progress, ...progress }
      return progress.lines
    })
  expect(read({ bytes: 100, lines: 10, entries: 9, inRange: 9, first: 50n, last: 90n, formats: ['rfc3339'] })).toBe(10)
  read({ bytes: 150, lines: 12, entries: 11, inRange: 10, late: 1, last: 95n, folded: 2 })
  // The detector continues another log, of which 500 lines were read before.
  detector.progress = {
    bytes: 0,
    lines: 500,
    entries: 0,
    inRange: 0,
    late: 0,
    first: undefined,
    last: undefined,
    formats: ['klog'],
    folded: 0,
  }
  read({ bytes: 70, lines: 503, entries: 3, inRange: 3, first: 20n, last: 30n })
  expect(amount.total).toMatchObject({
    bytes: 220,
    lines: 15,
    entries: 14,
    inRange: 13,
    late: 1,
    folded: 2,
    formats: ['rfc3339', 'klog'],
    first: 20n,
    last: 95n,
  })
})
