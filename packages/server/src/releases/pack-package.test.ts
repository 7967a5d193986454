import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { makePackage, ruleDocument } from '../../test/releases/stage.js'
import { Problem } from '../problem.js'
import { compilePackage, readNotes } from './compile-package.js'
import { packPackage } from './pack-package.js'

const VERSION = 'section: version\ncontent:\n  - version: 1.4.0\n    notes: |\n      Five rules\n      for Kafka.\n'

test('a package has the same bytes on every machine and with every version of Node.js', async () => {
  const { sha256, name } = await makePackage('1.0.0')
  // A change here means that packing an old version again gives another file: it must be intended.
  expect(sha256).toBe('e0e3a9b7e6710b5e30003d8c95f0913f5681c272d17300e7ad2bbd0774e22e10')
  expect(name).toBe(`omen-public-cre-rules.1.0.0.${sha256.slice(0, 12)}.yaml.gz`)
})

test('its gzip header contains nothing about the machine', async () => {
  const { bytes } = await makePackage('1.0.0')
  // No name, no time, a fixed system.
  expect([...bytes.subarray(0, 10)]).toEqual([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 3])
})

test('the version and the notes are read from the documents, and the package contains the notes', async () => {
  const documents = [
    { name: 'package.yaml', text: VERSION },
    { name: 'rule.yaml', text: ruleDocument() },
  ]
  const packed = await packPackage(documents, { channel: 'private' })
  expect(packed).toMatchObject({ version: '1.4.0', rules: 1, notes: 'Five rules for Kafka.', channel: 'private' })
  expect(await compilePackage(packed.name, packed.bytes)).toEqual({
    version: '1.4.0',
    rules: 1,
    notes: 'Five rules for Kafka.',
  })
  const other = await packPackage(documents, { channel: 'public', version: '2.0.0' })
  expect(gunzipSync(other.bytes).toString()).toMatch(
    /---\nsection: version\ncontent:\n {2}- version: 2\.0\.0\n {4}notes: "Five rules for Kafka\."\n$/,
  )
})

test.each([['v1.0.0'], ['1.0.0+build']])('the version %s is rejected', async (version) => {
  await expect(makePackage(version)).rejects.toThrow(version)
})

test('rules without a version are not packed', async () => {
  await expect(packPackage([{ name: 'rule.yaml', text: ruleDocument() }], { channel: 'public' })).rejects.toThrow(
    'a package needs a version',
  )
})

test.each([
  ['plain text', Buffer.from('rules: []')],
  ['cut off', Buffer.from([0x1f, 0x8b, 8, 0])],
  ['not rules', Buffer.from('H4sIAAAAAAAAA8vMK0ktysxLLAEAkTm0EwkAAAA=', 'base64')],
])('%s is not a package', async (_, bytes) => {
  await expect(compilePackage('x.yaml.gz', bytes)).rejects.toThrow(Problem)
})

test('a stream without notes has empty notes', async () => {
  expect(await readNotes('section: version\ncontent:\n  - version: 1.0.0\n')).toBe('')
  expect(await readNotes('section: version\ncontent: {a: [')).toBe('')
})
