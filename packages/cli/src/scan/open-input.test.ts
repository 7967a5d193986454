import { describe, expect, it } from 'vitest'
import { describeOpenInput, watchOpenInput } from './open-input.js'

/** A clock that the test moves. */
function start() {
  const hints: number[] = []
  const calls = new Set<() => void>()
  const input = watchOpenInput({
    repeat(milliseconds, call) {
      expect(milliseconds).toBe(3000)
      calls.add(call)
      return () => void calls.delete(call)
    },
    hint: (problems) => hints.push(problems),
  })
  const passThreeSeconds = () => {
    for (const call of calls) call()
  }
  return { input, hints, passThreeSeconds, isWatching: () => calls.size > 0 }
}

describe('an open input', () => {
  it('causes one hint after three seconds with problems', () => {
    const { input, hints, passThreeSeconds, isWatching } = start()
    input.advanced(500)
    input.found(2)
    expect(hints).toEqual([])
    passThreeSeconds()
    input.found(3)
    passThreeSeconds()
    expect(hints).toEqual([2])
    expect(isWatching()).toBe(false)
  })

  it('causes no hint without problems, until there are some', () => {
    const { input, hints, passThreeSeconds } = start()
    passThreeSeconds()
    passThreeSeconds()
    expect(hints).toEqual([])
    input.found(1)
    passThreeSeconds()
    expect(hints).toEqual([1])
  })

  it('causes a hint if problems are in the first lines, which are not matched yet', () => {
    const { input, hints, passThreeSeconds } = start()
    let ids: readonly string[] = []
    input.started(() => ids.map((id) => ({ cre: { id } })))
    passThreeSeconds()
    expect(hints).toEqual([])
    ids = ['A', 'B', 'A']
    passThreeSeconds()
    expect(hints).toEqual([2])
  })

  it('causes no hint while much arrives: a large file is being read', () => {
    const { input, hints, passThreeSeconds } = start()
    input.found(7)
    for (let megabytes = 100; megabytes <= 500; megabytes += 100) {
      input.advanced(megabytes * 1e6)
      passThreeSeconds()
    }
    expect(hints).toEqual([])
    passThreeSeconds()
    expect(hints).toEqual([7])
  })

  it('is not watched after its end', () => {
    const { input, hints, passThreeSeconds, isWatching } = start()
    input.found(1)
    input.stop()
    passThreeSeconds()
    expect(hints).toEqual([])
    expect(isWatching()).toBe(false)
  })
})

it('the hint says when problems are printed, and how to see them at once', () => {
  expect(describeOpenInput(2, 'omen')).toBe(
    'Hint: 2 problems so far. They are printed when standard input ends, or after Ctrl-C; with omen -f, as soon as they are found.\n',
  )
  expect(describeOpenInput(1, 'kubectl omen')).toContain('1 problem so far. It is printed')
})
