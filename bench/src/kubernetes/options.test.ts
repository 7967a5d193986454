import { expect, test } from 'vitest'
import { readKubernetesOptions } from './options.js'

const ROWS = ['scale', 'slow']

test('without flags the cluster has two thousand containers with 50 MB each', () => {
  expect(readKubernetesOptions([], ROWS)).toMatchObject({ only: [], containers: 2000, size: 50e6, json: false })
})

test('a smaller cluster is a matter of two flags', () => {
  const options = readKubernetesOptions(['--containers', '200', '--size', '5MB', '--only', 'slow'], ROWS)
  expect(options).toMatchObject({ only: ['slow'], containers: 200, size: 5e6 })
})

test.each([
  [['--only', 'scael'], 'there is no row "scael"; the rows are scale, slow'],
  [['--containers', '3'], '--containers takes a number from 40, not "3"'],
  [['--size', 'large'], 'not a size: "large"'],
])('%j makes no sense, which is said', (args, message) => {
  expect(() => readKubernetesOptions(args, ROWS)).toThrow(message)
})
