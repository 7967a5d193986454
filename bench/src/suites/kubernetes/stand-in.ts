import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'

const TESTS = fileURLToPath(new URL('../../../../packages/cli/test/cluster/', import.meta.url))

/** A log of the stand-in: made when it is read. */
export interface StandInLog {
  readonly bytes: () => Iterable<Uint8Array> | AsyncIterable<Uint8Array>
}

/** What the benchmark uses of the stand-in for an API server that the tests of the tool have. */
export interface StandIn {
  startCluster(options: {
    readonly objects: readonly object[]
    readonly logs: Readonly<Record<string, StandInLog>>
  }): Promise<{
    readonly most: { readonly connections: number }
    kubeconfig(options: { readonly namespace: string }): string
    close(): Promise<void>
  }>
  pod(name: string, draft: { readonly namespace: string; readonly labels: Readonly<Record<string, string>> }): object
}

/**
 * Loads the stand-in. Tests are never built and Node.js 20 does not read TypeScript, so it is bundled into the folder first.
 *
 * @example
 * const { startCluster, pod } = await loadStandIn(folder)
 */
export async function loadStandIn(folder: string): Promise<StandIn> {
  const build = await rolldown({
    input: { server: join(TESTS, 'server.ts'), objects: join(TESTS, 'objects.ts') },
    platform: 'node',
  })
  await build.write({ dir: folder, format: 'esm', entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' })
  await build.close()
  const load = (name: string) => import(pathToFileURL(join(folder, name)).href)
  const [{ startCluster }, { pod }] = await Promise.all([load('server.mjs'), load('objects.mjs')])
  return { startCluster, pod }
}
