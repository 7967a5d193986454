import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { zipSync } from 'fflate'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeDatabase } from './make-database.js'

const encode = (text: string) => new TextEncoder().encode(text)

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'omen-make-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('a database is made, and the remains of earlier attempts are removed', async () => {
  mkdirSync(join(folder, 'database.new-left'))
  await makeDatabase(join(folder, 'database'), ['shared_buffers=4MB'])
  expect(existsSync(join(folder, 'database', 'PG_VERSION'))).toBe(true)
  expect(readdirSync(folder)).toEqual(['database'])
})

test('an existing database is not changed', async () => {
  const database = join(folder, 'database')
  mkdirSync(database)
  writeFileSync(join(database, 'PG_VERSION'), '17')
  await makeDatabase(database, [])
  expect(readdirSync(database)).toEqual(['PG_VERSION'])
})

test('a database that cannot be made is reported, and its files are removed', async () => {
  await expect(makeDatabase(join(folder, 'database'), ['no_such_setting=1'])).rejects.toThrow(/INITDB failed/)
  expect(readdirSync(folder)).toEqual([])
})

test('a packed database is unpacked with its empty folders, for the owner only', async () => {
  const packed = join(folder, 'packed.zip')
  writeFileSync(
    packed,
    zipSync({
      'base/': new Uint8Array(0),
      'base/1': encode('data'),
      PG_VERSION: encode('17'),
      'pg_wal/': new Uint8Array(0),
    }),
  )
  const above = join(folder, 'above')
  mkdirSync(above)
  await makeDatabase(join(above, 'database'), [], pathToFileURL(packed))
  expect(readdirSync(join(above, 'database'), { recursive: true }).sort()).toEqual([
    'PG_VERSION',
    'base',
    'base/1',
    'pg_wal',
  ])
  expect(readFileSync(join(above, 'database/base/1'), 'utf8')).toBe('data')
  expect(['', 'base', 'base/1'].map((name) => statSync(join(above, 'database', name)).mode & 0o077)).toEqual([0, 0, 0])
})

test('a packed database that is incomplete is reported, and its files are removed', async () => {
  const packed = join(folder, 'packed.zip')
  writeFileSync(packed, zipSync({ PG_VERSION: encode('17') }).subarray(0, 40))
  const above = join(folder, 'above')
  mkdirSync(above)
  await expect(makeDatabase(join(above, 'database'), [], pathToFileURL(packed))).rejects.toThrow('invalid zip data')
  expect(readdirSync(above)).toEqual([])
})
