import { array, assert, constantFrom, integer, oneof, property, stringMatching, tuple } from 'fast-check'
import { expect, test } from 'vitest'
import { compareVersions, isVersion, sortKeyOf } from './versions.js'

test('versions sort by the precedence that semver.org defines', () => {
  const ordered = [
    '0.9.10',
    '1.0.0-alpha',
    '1.0.0-alpha.1',
    '1.0.0-alpha.beta',
    '1.0.0-beta',
    '1.0.0-beta.2',
    '1.0.0-beta.11',
    '1.0.0-rc.1',
    '1.0.0',
    '1.0.1',
    '1.2.0',
    '1.10.0',
    '2.0.0-0',
    '2.0.0',
    '10.0.0',
    '999999999.0.0',
  ]
  expect(ordered.toReversed().sort(compareVersions)).toEqual(ordered)
})

test.each([
  '',
  '1',
  '1.0',
  'v1.0.0',
  '1.0.0+build',
  '1.0.0-',
  '1.0.0-a..b',
  '1.0.0-ä',
  '1.0.0 ',
  '1.0.0/../x',
  '1234567890.0.0',
])('%j is not a version of a release', (text) => expect(isVersion(text)).toBe(false))

/** The rules of semver.org, written as they are stated there: the oracle. */
function compare(a: string, b: string): number {
  const [coreA = '', ...restA] = a.split('-')
  const [coreB = '', ...restB] = b.split('-')
  for (const [index, number] of coreA.split('.').entries()) {
    const difference = Number(number) - Number(coreB.split('.')[index])
    if (difference !== 0) return difference
  }
  const [wordsA, wordsB] = [restA.join('-'), restB.join('-')].map((rest) => (rest === '' ? [] : rest.split('.')))
  if (wordsA!.length === 0 || wordsB!.length === 0) return wordsB!.length - wordsA!.length
  for (const [index, word] of wordsA!.entries()) {
    const other = wordsB![index]
    if (other === undefined) return 1
    if (word === other) continue
    const areNumbers = [word, other].map((text) => /^\d+$/.test(text))
    if (areNumbers[0] && areNumbers[1]) return Number(word) - Number(other)
    if (areNumbers[0] !== areNumbers[1]) return areNumbers[0] ? -1 : 1
    return word < other ? -1 : 1
  }
  return wordsA!.length - wordsB!.length
}

test('any two versions compare as semver.org defines', () => {
  const number = oneof(integer({ min: 0, max: 12 }), integer({ min: 0, max: 999_999_999 }))
  const word = oneof(
    constantFrom('a', 'rc', 'A', '0', '1', '2', '10', '-', 'a-b', 'rc1'),
    stringMatching(/^[A-Za-z-]{1,4}$/),
  )
  const version = tuple(number, number, number, array(word, { maxLength: 3 })).map(
    ([major, minor, patch, words]) => `${major}.${minor}.${patch}${words.length > 0 ? `-${words.join('.')}` : ''}`,
  )
  assert(
    property(version, version, (a, b) => {
      expect(compareVersions(a, b)).toBe(Math.sign(compare(a, b)))
      expect(sortKeyOf(a) < sortKeyOf(b)).toBe(compare(a, b) < 0)
    }),
    { numRuns: 1000 },
  )
})

test('build metadata has no order, and a string that is not a version comes first', () => {
  expect(compareVersions('1.0.0+build', '1.0.0')).toBe(0)
  expect(compareVersions('latest', '0.0.0-0')).toBe(-1)
})
