import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeDatabase } from './make-database.js'

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
