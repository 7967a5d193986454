import { createVerify, hash } from 'node:crypto'
import { assert, asyncProperty, constantFrom, nat } from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { onBothEngines } from '../../test/engines.js'
import { gathered, makePackage, makePair, publishPackage, upload } from '../../test/releases/stage.js'
import { makeWorld, outcomeOf, outcomesOf, removeTemporaryFolders, times, type World } from '../../test/world.js'
import { CHUNK_BYTES } from '../store/releases/release-blobs.js'
import type { ServedFile } from './releases.js'

removeTemporaryFolders()

const pair = makePair()
const acmePair = makePair()

onBothEngines((database) => {
  let world: World
  beforeEach(async () => {
    world = await makeWorld(database.current())
    await world.operations.addReleaseKey({ pem: pair.publicKey.pem })
  })
  const publish = async (version: string, options = {}, word?: string) =>
    publishPackage(world.operations, await makePackage(version, word === undefined ? {} : { word }), pair, options)
  const actions = async () => (await world.operations.audit({})).map(({ action }) => action)
  const newest = async () => (await world.releases.latest(undefined)).rules?.version
  const blobs = async () => (await database.current().query('select id from release_blobs')).length

  describe('packages of rules', () => {
    test('the highest published version is announced, and nothing before the first publication', async () => {
      expect(await world.releases.latest(undefined)).toEqual({})
      const { name, sha256, bytes } = await makePackage('1.9.0')
      await publish('1.9.0', { notes: 'Two\nlines' })
      const url = `https://omen.test/v1/rules/${name}`
      expect(await world.releases.latest(undefined)).toEqual({
        rules: {
          version: '1.9.0',
          file: name,
          size: bytes.length,
          sha256,
          url,
          sha256_url: `${url}.sha256`,
          sig_url: `${url}.sig`,
          notes: 'Two lines',
        },
      })
      await publish('1.10.0-rc.1')
      await publish('1.10.0')
      await publish('1.9.1', { backport: true })
      expect(await newest()).toBe('1.10.0')
      const past = await world.releases.history(undefined, { before: undefined, limit: 10 })
      expect(past.releases.map(({ version }) => version)).toEqual(['1.9.1', '1.10.0', '1.10.0-rc.1', '1.9.0'])
    })

    test('a downloaded package equals the published one, with its hash and its signature', async () => {
      const { name, bytes, sha256 } = await makePackage('1.0.0')
      await publish('1.0.0')
      const read = async (name: string) => {
        const file = (await world.releases.find('rules', name, undefined))!
        return gathered(file.read(0, file.size))
      }
      expect(Buffer.from(bytes).equals(await read(name))).toBe(true)
      expect(String(await read(`${name}.sha256`))).toBe(`${sha256}  ${name}\n`)
      const { publicKey } = pair
      const verified = createVerify('sha256')
        .update(bytes)
        .verify(publicKey.key, await read(`${name}.sig`))
      expect(verified).toBe(true)
      expect(await world.releases.find('tool', name, undefined)).toBeUndefined()
      expect(
        await world.releases.find('rules', 'omen-public-cre-rules.9.0.0.000000000000.yaml.gz', undefined),
      ).toBeUndefined()
    })

    test('a version is published once: the same bytes change nothing, and other bytes are rejected', async () => {
      expect(await publish('1.0.0')).toMatchObject({ outcome: 'published', version: '1.0.0' })
      expect(await publish('1.0.0')).toMatchObject({ outcome: 'unchanged' })
      expect(await outcomeOf(publish('1.0.0', {}, 'other words'))).toBe('version_exists')
      expect(await outcomeOf(publish('0.9.0'))).toBe('version_outdated')
      expect((await actions()).filter((action) => action === 'rules.published')).toHaveLength(1)
      // Nothing is stored of a rejected upload.
      expect(await blobs()).toBe(1)
    })

    test('a withdrawn version is not found, its number stays taken, and the same bytes restore it', async () => {
      await publish('1.0.0')
      await publish('1.1.0')
      const { name } = await makePackage('1.1.0')
      await world.operations.withdrawRelease({ kind: 'rules', version: '1.1.0' })
      await world.operations.withdrawRelease({ kind: 'rules', version: '1.1.0' })
      expect(await newest()).toBe('1.0.0')
      expect(await world.releases.find('rules', name, undefined)).toBeUndefined()
      expect(await blobs()).toBe(1)
      expect(await outcomeOf(publish('1.1.0', {}, 'other words'))).toBe('version_exists')
      expect(await publish('1.1.0')).toMatchObject({ outcome: 'published', state: 'published' })
      expect(await newest()).toBe('1.1.0')
      expect((await actions()).slice(-4)).toEqual([
        'rules.published',
        'rules.published',
        'rules.withdrawn',
        'rules.published',
      ])
      expect(await outcomeOf(world.operations.withdrawRelease({ kind: 'rules', version: '7.0.0' }))).toBe('not_found')
    })

    test('an inconsistent package is rejected with the reason', async () => {
      const { name, bytes } = await makePackage('1.0.0')
      const other = await makePackage('2.0.0')
      const send = async (file: string, content: Uint8Array, key = pair, options = {}) =>
        publishPackage(world.operations, { name: file, bytes: content }, key, options)
      const privateName = name.replace('public', 'private')
      const hostile = Buffer.from('H4sIAAAAAAAAA8vMK0ktysxLLAEAkTm0EwkAAAA=', 'base64')
      const cases: readonly [() => Promise<unknown>, string, RegExp][] = [
        [() => send('rules.yaml.gz', bytes), 'invalid_package', /is not a valid package name/],
        [() => send(privateName, bytes), 'invalid_package', /omen-public-cre-rules/],
        [() => send(name, other.bytes), 'invalid_package', /but its name says/],
        [
          () => send(other.name.replace('2.0.0', '3.0.0'), other.bytes),
          'invalid_package',
          /version in the package is 2\.0\.0/,
        ],
        [() => send(name, bytes, makePair()), 'signature_rejected', /not made by a release key/],
        [() => send(name, Buffer.alloc(0)), 'invalid_package', /empty/],
        [() => send(name, bytes, pair, { org: 'Nobody' }), 'not_found', /no organization "Nobody"/],
        [
          () => send(`omen-public-cre-rules.1.0.0.${hashOf(hostile)}.yaml.gz`, hostile),
          'invalid_package',
          /cannot be used/,
        ],
      ]
      for (const [attempt, code, message] of cases) {
        await expect(attempt()).rejects.toMatchObject({ code, message: expect.stringMatching(message) })
      }
      expect(await world.releases.latest(undefined)).toEqual({})
      expect(await blobs()).toBe(0)
    })
  })

  describe('keys', () => {
    test('are listed while they are in use, and signatures of retired keys are rejected', async () => {
      const next = makePair()
      await world.operations.addReleaseKey({ pem: next.publicKey.pem })
      await publish('1.0.0')
      const ids = async () => (await world.releases.keys(undefined)).keys.map(({ id }) => id).sort()
      expect(await ids()).toEqual([pair.publicKey.id, next.publicKey.id].sort())
      expect(await world.operations.retireReleaseKey(pair.publicKey.id)).toMatchObject({ state: 'retired', files: 1 })
      expect(await ids()).toEqual([next.publicKey.id])
      expect(await outcomeOf(publish('1.1.0'))).toBe('signature_rejected')
      // The same bytes with another signature replace only the signature.
      const packed = await makePackage('1.0.0')
      expect(await publishPackage(world.operations, packed, next)).toMatchObject({
        outcome: 'published',
        files: [{ key: next.publicKey.id }],
      })
      expect(await world.operations.retireReleaseKey(pair.publicKey.id)).toMatchObject({ files: 0 })
      const file = (await world.releases.find('rules', packed.name, undefined))!
      expect(Buffer.from(packed.bytes).equals(await gathered(file.read(0, file.size)))).toBe(true)
      expect(await blobs()).toBe(1)
    })

    test('belong to one owner each, and a file that is not a key is rejected', async () => {
      await world.operations.issueToken({ org: 'Acme', name: 'ci' })
      const { pem } = pair.publicKey
      expect(await outcomeOf(world.operations.addReleaseKey({ pem, org: 'Acme' }))).toBe('invalid_request')
      expect(await outcomeOf(world.operations.addReleaseKey({ pem: pair.privatePem }))).toBe('invalid_request')
      expect(await outcomeOf(world.operations.addReleaseKey({ pem: acmePair.publicKey.pem, org: 'Nobody' }))).toBe(
        'not_found',
      )
      expect(await outcomeOf(world.operations.retireReleaseKey('0000000000000000'))).toBe('not_found')
      // A repetition changes nothing, and writes no second record.
      await world.operations.addReleaseKey({ pem })
      expect((await actions()).filter((action) => action === 'release_key.added')).toHaveLength(1)
    })
  })

  describe('the tool', () => {
    const files = async (version: string, platforms: readonly string[], content = 'binary') => {
      const all = []
      for (const platform of platforms) {
        const name = `omen-${version}-${platform}`
        all.push(await upload(world.operations, name, Buffer.from(`${content} ${platform}`), pair))
      }
      return all
    }

    test('is published for several platforms together, for others later, and never partially', async () => {
      await world.operations.publishTool({ files: await files('0.3.0', ['linux-x64', 'darwin-arm64']), notes: 'Fast.' })
      await world.operations.publishTool({ files: await files('0.3.0', ['win32-x64.exe']) })
      const url = 'https://omen.test/v1/tool/omen-0.3.0-linux-x64'
      const { tool } = await world.releases.latest(undefined)
      expect(tool?.files.map(({ platform }) => platform)).toEqual(['darwin-arm64', 'linux-x64', 'win32-x64'])
      expect(tool).toMatchObject({ version: '0.3.0', notes: 'Fast.' })
      expect(tool?.files[1]).toEqual({
        platform: 'linux-x64',
        size: 16,
        sha256: expect.any(String),
        url,
        sig_url: `${url}.sig`,
      })
      const bad = [...(await files('0.4.0', ['linux-x64'])), ...(await files('0.4.1', ['darwin-x64']))]
      expect(await outcomeOf(world.operations.publishTool({ files: bad }))).toBe('invalid_request')
      expect(
        await outcomeOf(world.operations.publishTool({ files: await files('0.3.0', ['linux-x64'], 'other') })),
      ).toBe('version_exists')
      expect(await outcomeOf(world.operations.publishTool({ files: await files('0.4.0', ['plan9-x64']) }))).toBe(
        'invalid_package',
      )
      expect((await world.releases.latest(undefined)).tool?.version).toBe('0.3.0')
      expect(await blobs()).toBe(3)
    })
  })

  test('twenty concurrent publications of one version have one outcome and one record, and leave no upload', async () => {
    const packages = await Promise.all(times(20, (index) => makePackage('1.0.0', { word: `word ${index}` })))
    const outcomes = await outcomesOf(packages.map((packed) => publishPackage(world.operations, packed, pair)))
    expect(outcomes).toEqual({ ok: 1, version_exists: 19 })
    expect((await actions()).filter((action) => action === 'rules.published')).toHaveLength(1)
    expect(await blobs()).toBe(1)
    const same = await makePackage('2.0.0')
    const published = await Promise.all(times(20, () => publishPackage(world.operations, same, pair)))
    expect(published.filter(({ outcome }) => outcome === 'published')).toHaveLength(1)
    expect(await blobs()).toBe(2)
  })

  test('a publication that races the retirement of its key has one outcome', async () => {
    const packed = await makePackage('1.0.0')
    const [published] = await Promise.all([
      outcomeOf(publishPackage(world.operations, packed, pair)),
      world.operations.retireReleaseKey(pair.publicKey.id),
    ])
    const order = (await actions()).filter((action) => /^(rules|release_key\.retired)/.test(action))
    expect([published, order]).toEqual(
      published === 'ok'
        ? ['ok', ['rules.published', 'release_key.retired']]
        : ['signature_rejected', ['release_key.retired']],
    )
  })

  test('abandoned uploads are deleted after a day', async () => {
    const { upload: left } = await world.operations.beginUpload()
    await world.operations.addChunk({ upload: left, number: 0, bytes: 'AAAA' })
    world.setClock('2030-01-03T12:00:01Z')
    await world.operations.beginUpload()
    expect(await blobs()).toBe(1)
    expect(await outcomeOf(world.operations.addChunk({ upload: left, number: 1, bytes: 'AAAA' }))).toBe(
      'invalid_request',
    )
  })

  test('the rows of a release cannot be changed', async () => {
    const packed = await makePackage('1.0.0')
    const file = await upload(world.operations, packed.name, packed.bytes, pair)
    await world.operations.publishRules(file)
    const write = world.operations.addChunk({ upload: file.upload, number: 0, bytes: 'AAAA' })
    expect(await outcomeOf(write)).toBe('invalid_request')
  })

  test('any range of a file equals the slice of the published bytes', async () => {
    const sizes = [1, 7, CHUNK_BYTES - 1, CHUNK_BYTES, CHUNK_BYTES + 1, 2 * CHUNK_BYTES + 4321]
    const contents = sizes.map((size) =>
      Buffer.from(Uint8Array.from({ length: size }, (_, at) => (at * 31 + (at >> 8)) & 255)),
    )
    const served: ServedFile[] = []
    for (const [index, bytes] of contents.entries()) {
      const name = `omen-0.${index}.0-linux-x64`
      await world.operations.publishTool({ files: [await upload(world.operations, name, bytes, pair)] })
      served.push((await world.releases.find('tool', name, undefined))!)
    }
    await assert(
      asyncProperty(constantFrom(...sizes.keys()), nat(), nat(), async (index, a, b) => {
        const bytes = contents[index]!
        const [start, end] = [a % (bytes.length + 1), b % (bytes.length + 1)].sort((first, second) => first - second)
        const read = await gathered(served[index]!.read(start!, end!))
        expect(bytes.subarray(start, end).equals(read)).toBe(true)
      }),
      { numRuns: 60 },
    )
  })
})

function hashOf(bytes: Uint8Array): string {
  return hash('sha256', bytes, 'hex').slice(0, 12)
}
