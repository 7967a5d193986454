// Bundles the engine into a few files, so that a program that uses it loads one file instead of a hundred and fifty. What
// only some rules need (YAML, jq, the compiler, the kernel without SIMD) stays in files that are loaded when asked for.
import { rmSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const home = resolve(dirname(fileURLToPath(import.meta.url)), '..')

/** What is loaded together lies together. */
export const ENGINE_GROUPS = [
  { name: 'yaml', test: /node_modules\/yaml\// },
  { name: 'jq', test: /terms\/jq\/|node_modules\/re2js\// },
  { name: 'documents', test: /engine\/src\/(rules\/document|messages)\// },
  {
    name: 'compile',
    test: /engine\/src\/rules\/(?!compiled|error|cache|keys)|terms\/compile|terms\/regex\/(plan|chain|alternatives)/,
  },
  { name: 'plain', test: /scan\/kernel\/plain-kernel|scan\/filter\/plain/ },
]

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  rmSync(`${home}/bundle`, { recursive: true, force: true })
  const build = await rolldown({
    input: { index: `${home}/src/index.ts` },
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
