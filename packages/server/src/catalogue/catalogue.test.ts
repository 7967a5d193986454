import { brotliDecompressSync, gzipSync } from 'node:zlib'
import { SEVERITY_LABELS as OF_THE_ENGINE } from '@omen/engine'
import { describe, expect, test } from 'vitest'
import type { Queries } from '../store/database.js'
import { type PreparedResponse, SEVERITY_LABELS } from './catalogue.js'
import { createCatalogue } from './create-catalogue.js'
import { keepRecent } from './keep-recent.js'
import { preparePackage } from './prepare-package.js'

const packed = (version: string, ...ids: string[]) =>
  gzipSync(
    `rules:\n${ids.map((id) => `  - cre: {id: ${id}, title: ${id} of ${version}, severity: 1}\n`).join('')}---\nsection: version\ncontent:\n  - version: ${version}\n`,
  )

const read = (response: PreparedResponse | undefined) =>
  response === undefined ? undefined : JSON.parse(brotliDecompressSync(response.brotli).toString())

/** A database with published packages that supports the queries of the catalogue. */
function published(packages: Record<string, Buffer>): Queries {
  const query = async (text: string, parameters: readonly unknown[] = []) => {
    if (text.includes('release_chunks')) {
      const stored = packages[String(parameters[0])]
      return stored === undefined ? [] : [{ bytes: stored.toString('base64') }]
    }
    const owner = String(parameters[1] ?? 'everybody')
    const bytes = packages[owner]
    if (bytes === undefined) return []
    const file = { id: 'f', blobId: owner, name: 'n', size: bytes.length, sha256: bytes.toString('hex'), signature: '' }
    return [{ version: 'x', files: [file] }]
  }
  return { query: query as Queries['query'] }
}

function catalogueOf(packages: Record<string, Buffer>) {
  const prepared: string[] = []
  const catalogue = createCatalogue({
    database: published(packages),
    readBundled: async () => packed('1.0.0', 'CRE-1', 'CRE-2'),
    prepare: (task) => {
      prepared.push(task.origin)
      return preparePackage(task)
    },
  })
  return { catalogue, prepared }
}

describe('the catalogue', () => {
  test('contains the rules that ship with the service until a package is published', async () => {
    const { catalogue } = catalogueOf({})
    const list = read(await catalogue.list(undefined))
    expect(list.version).toBe('1.0.0')
    expect(list.rules.map(({ id }: { id: string }) => id)).toEqual(['CRE-1', 'CRE-2'])
    expect(list.rules[0]).toMatchObject({ severity: 1, severity_label: 'high', package: 'community' })
    const rule = read(await catalogue.find('CRE-1', undefined))
    expect(rule).toMatchObject({ version: '1.0.0', yaml: expect.stringContaining('id: CRE-1') })
    expect(await catalogue.find('CRE-3', undefined)).toBeUndefined()
  })

  test('shows private rules only to their organization, together with the public ones', async () => {
    const packages = { everybody: packed('2.0.0', 'CRE-1', 'CRE-9'), acme: packed('7.0.0', 'ACME-1', 'CRE-9') }
    const { catalogue } = catalogueOf(packages)
    const list = read(await catalogue.list('acme'))
    expect([list.version, list.private_version]).toEqual(['2.0.0', '7.0.0'])
    expect(list.rules.map(({ id, package: origin }: Record<string, string>) => `${id} ${origin}`).sort()).toEqual([
      'ACME-1 private',
      'CRE-1 community',
      'CRE-9 private',
    ])
    expect(read(await catalogue.find('CRE-9', 'acme')).version).toBe('7.0.0')
    for (const other of [undefined, 'other']) {
      expect(read(await catalogue.list(other)).rules).toHaveLength(2)
      expect(await catalogue.find('ACME-1', other)).toBeUndefined()
      expect(read(await catalogue.find('CRE-9', other)).version).toBe('2.0.0')
    }
  })

  test('reads a package once for any number of concurrent requests', async () => {
    const { catalogue, prepared } = catalogueOf({ acme: packed('7.0.0', 'ACME-1') })
    const lookups = [
      catalogue.list('acme'),
      catalogue.list('acme'),
      catalogue.find('ACME-1', 'acme'),
      catalogue.list(undefined),
    ]
    const [first, second] = await Promise.all(lookups)
    expect(first).toBe(second)
    await catalogue.find('CRE-1', 'other')
    expect(prepared.sort()).toEqual(['community', 'private'])
  })

  test.each(['list', 'find'] as const)(
    'falls back to the previous package if the newest one is withdrawn after it was found (%s)',
    async (lookup) => {
      const packages: Record<string, Buffer> = { everybody: packed('2.0.0', 'CRE-9') }
      const { query } = published(packages)
      const withdrawing: Queries['query'] = (text, parameters) => {
        if (text.includes('release_chunks')) delete packages.everybody
        return query(text, parameters)
      }
      const catalogue = createCatalogue({
        database: { query: withdrawing },
        readBundled: async () => packed('1.0.0', 'CRE-1'),
        prepare: preparePackage,
      })
      const response = await (lookup === 'list' ? catalogue.list(undefined) : catalogue.find('CRE-1', undefined))
      expect(read(response)).toMatchObject({ version: '1.0.0' })
    },
  )

  test('has an entity tag that changes with its content', async () => {
    const packages = { everybody: packed('2.0.0', 'CRE-1') }
    const { catalogue } = catalogueOf(packages)
    const before = await catalogue.list(undefined)
    packages.everybody = packed('2.0.1', 'CRE-1', 'CRE-2')
    const after = await catalogue.list(undefined)
    expect(before.tag).not.toBe(after.tag)
    expect(read(after).rules).toHaveLength(2)
  })
})

test('severities have the names that the engine uses', () => {
  expect(SEVERITY_LABELS).toEqual(OF_THE_ENGINE)
})

describe('the cache of the catalogue', () => {
  test('stays below its limit by dropping the least recently used package', async () => {
    const made: string[] = []
    const recent = keepRecent<string>({ most: 10, sizeOf: (text) => text.length })
    const get = (key: string, size: number) =>
      recent.get(key, async () => {
        made.push(key)
        return 'x'.repeat(size)
      })
    for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) await get(key, 4)
    expect(made).toEqual(['a', 'b', 'c', 'b'])
    await get('huge', 100)
    await get('a', 4)
    expect(made.slice(4)).toEqual(['huge', 'a'])
  })

  test('never keeps a failure', async () => {
    const recent = keepRecent<string>({ most: 10, sizeOf: (text) => text.length })
    await expect(recent.get('a', () => Promise.reject(new Error('away')))).rejects.toThrow('away')
    expect(await recent.get('a', async () => 'back')).toBe('back')
  })
})
