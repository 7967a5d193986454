import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { openPglite } from '../../src/store/engines/pglite.js'
import { migrate } from '../../src/store/migrate.js'
import { type Cluster, makeCluster } from './cluster.js'

declare module 'vitest' {
  interface ProvidedContext {
    /** The URL of the resources that are made once for all tests; see `prepared/setup.ts`. */
    readonly prepared: string
  }
}

/**
 * Makes slow resources once for all test files, when the first file requests them: `/embedded` is the folder of an embedded
 * database with its schema and without rows, to be copied, and `/postgres` the folder of the socket of a PostgreSQL.
 */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'omen-prepared-'))
  let cluster: Promise<Cluster> | undefined
  let started: Cluster | undefined
  let embedded: Promise<string> | undefined
  const makers: Readonly<Record<string, () => Promise<string>>> = {
    '/embedded': () => {
      embedded ??= makeEmbedded(folder)
      return embedded
    },
    '/postgres': async () => {
      cluster ??= makeCluster()
      started = await cluster
      return started.folder
    },
  }
  const server = createServer(async ({ url = '' }, response) => {
    try {
      response.end(await makers[url]!())
    } catch (error) {
      response.writeHead(500).end(String(error))
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  provide('prepared', `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const abandon = () => {
    started?.abandon()
    rmSync(folder, { recursive: true, force: true })
  }
  // After Ctrl-C the teardown does not run.
  process.once('exit', abandon)
  return async () => {
    process.off('exit', abandon)
    server.closeAllConnections()
    server.close()
    await Promise.allSettled([embedded, cluster?.then(({ remove }) => remove())])
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Made by the service itself, so it equals the result of a first start. */
async function makeEmbedded(dataDir: string): Promise<string> {
  const { exitCode } = process
  const database = await openPglite({ dataDir })
  await migrate(database, { clock: () => new Date() })
  await database.close()
  // The engine sets the exit code of the process when it ends.
  process.exitCode = exitCode
  return join(dataDir, 'database')
}
