import { cp, mkdir, mkdtemp } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { inject } from 'vitest'
import type { Database } from '../../src/store/database.js'
import { openPglite } from '../../src/store/engines/pglite.js'

/** Requests a resource that is made once for all test files. */
export async function prepared(resource: 'embedded' | 'postgres'): Promise<string> {
  const response = await fetch(`${inject('prepared')}/${resource}`)
  const text = await response.text()
  if (!response.ok) throw new Error(`${resource}: ${text}`)
  return text
}

/**
 * Copies an unused embedded database into a data directory, because making one at the first start takes seconds.
 *
 * @example
 * await copyPreparedDatabase(omen.path('data'))
 */
export async function copyPreparedDatabase(dataDir: string): Promise<void> {
  const template = await prepared('embedded')
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  await cp(template, join(dataDir, 'database'), { recursive: true })
}

/** An unused embedded database in a folder that is removed after all tests. */
export async function openEmbedded(): Promise<Database> {
  const dataDir = await mkdtemp(join(dirname(await prepared('embedded')), 'copy-'))
  await copyPreparedDatabase(dataDir)
  return openPglite({ dataDir })
}
