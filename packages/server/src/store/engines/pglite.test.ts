import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'
import { beforeEach, expect, test } from 'vitest'
import { removeTemporaryFolders, temporaryFolder, times } from '../../../test/world.js'
import { lockFolder } from './folder-lock.js'
import { openPglite } from './pglite.js'

removeTemporaryFolders()

let dataDir = ''
beforeEach(() => {
  dataDir = join(temporaryFolder(), 'data')
})

test('committed data survives a kill, and the folder is unlocked immediately', async () => {
  const folder = temporaryFolder()
  const bundle = join(folder, 'pglite.mjs')
  const input = new URL('pglite.ts', import.meta.url).pathname
  const external = (id: string) => id.startsWith('@electric-sql')
  await build({ input, platform: 'node', external, output: { file: bundle, format: 'esm' } })
  // The bundle is in a folder from which no package can be resolved.
  symlinkSync(packagesFolder(), join(folder, 'node_modules'))
  const code = `import { openPglite } from ${JSON.stringify(bundle)}
    const database = await openPglite({ dataDir: ${JSON.stringify(dataDir)} })
    await database.query('create table things (n int)')
    await database.transaction(({ query }) => query('insert into things values (1)'))
    database.transaction(async ({ query }) => {
      await query('insert into things values (2)')
      console.log('in the middle')
      await new Promise(() => {})
    })
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'] })
  const gone = once(child, 'exit')
  const died = gone.then(([status]) => Promise.reject(new Error(`it ended with ${status}`)))
  await Promise.race([once(child.stdout, 'data'), died])
  await expect(openPglite({ dataDir })).rejects.toMatchObject({
    name: 'Failure',
    message: `${dataDir}: another process is using this database`,
    hint: 'Stop that process first, or set DATABASE_URL to run several processes on one PostgreSQL.',
  })
  child.kill('SIGKILL')
  await gone
  const database = await openPglite({ dataDir })
  expect(await database.query('select n from things')).toEqual([{ n: 1 }])
  await expect(openPglite({ dataDir })).rejects.toThrow('another process is using this database')
  await database.close()
  await database.close()
  await expect(database.check()).rejects.toMatchObject({ code: 'unavailable' })
  expect(readdirSync(dataDir)).toEqual(['database'])
})

/** The folder `node_modules` that contains the embedded database. */
function packagesFolder(): string {
  const engine = fileURLToPath(import.meta.resolve('@electric-sql/pglite'))
  return engine.slice(0, engine.lastIndexOf('@electric-sql'))
}

test('a folder that cannot be used is reported', async () => {
  writeFileSync(dataDir, '')
  await expect(openPglite({ dataDir })).rejects.toThrow(`${dataDir}: cannot be used for the database`)
})

test('of twenty concurrent locks of a folder one succeeds, and the next after it', async () => {
  mkdirSync(dataDir)
  for (let round = 0; round < 3; round++) {
    const unlocks = (await Promise.all(times(20, () => lockFolder(dataDir)))).filter((unlock) => unlock !== undefined)
    expect(unlocks).toHaveLength(1)
    await unlocks[0]!()
    expect(readdirSync(dataDir)).toEqual([])
  }
})

test('a dead lock is taken over by one of twenty', async () => {
  mkdirSync(dataDir)
  writeFileSync(join(dataDir, 'database.lock'), 'stale')
  const unlocks = (await Promise.all(times(20, () => lockFolder(dataDir)))).filter((unlock) => unlock !== undefined)
  expect(unlocks).toHaveLength(1)
  expect(await lockFolder(dataDir)).toBeUndefined()
  await unlocks[0]!()
})

test('a folder with a path that is too long for a socket can be locked, too', async () => {
  const deep = join(dataDir, 'x'.repeat(100), 'y'.repeat(100))
  mkdirSync(deep, { recursive: true })
  const unlock = await lockFolder(deep)
  expect(unlock).toBeDefined()
  expect(await lockFolder(deep)).toBeUndefined()
  await unlock!()
  expect(readdirSync(deep)).toEqual([])
})
