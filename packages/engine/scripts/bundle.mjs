// Bundles the engine into a few files, so that a program loads one file instead of 150. Parts that only some rules need (YAML,
// jq, the compiler, the TypeScript twin of the kernel) are separate files that are loaded on demand.
import { rmSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const home = resolve(dirname(fileURLToPath(import.meta.url)), '..')

/** Modules that are loaded together are in one file. */
export const ENGINE_GROUPS = [
  { name: 'yaml', test: /node_modules\/yaml\// },
  { name: 'jq', test: /terms\/jq\// },
  { name: 'documents', test: /engine\/src\/rules\/document\// },
  {
    name: 'compile',
    test: /engine\/src\/rules\/(?!compiled|error|cache|keys)|terms\/compile|terms\/regex\/plan\//,
  },
  { name: 'plain', test: /scan\/kernel\/plain-kernel|scan\/filter\/plain/ },
]

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  rmSync(`${home}/bundle`, { recursive: true, force: true })
  const build = await rolldown({
    input: {
      index: `${home}/src/index.ts`,
      messages: `${home}/src/messages/index.ts`,
      versions: `${home}/src/versions.ts`,
    },
    platform: 'browser',
    preserveEntrySignatures: 'allow-extension',
    resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
  })
  await build.write({
    dir: `${home}/bundle`,
    format: 'esm',
    minify: true,
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    codeSplitting: { groups: ENGINE_GROUPS, includeDependenciesRecursively: false },
  })
}
