// Bundles the tool into a few files: a cold start then reads one file instead of a hundred. What is seldom needed (YAML,
// jq, the compiler of rules) stays in files of its own that are loaded when they are asked for.
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { ENGINE_GROUPS } from '../../engine/scripts/bundle.mjs'

const home = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const minify = !process.argv.includes('--readable')

/**
 * What is loaded together lies together: every file costs about a millisecond at the start. What a run with cached rules
 * needs is one file; the others are asked for by name in the source.
 */
const GROUPS = [
  ...ENGINE_GROUPS,
  { name: 'threads', test: /cli\/src\/threads\/(crew|scan-on-threads)/ },
  { name: 'run', test: /packages\/(engine|cli)\/src\/(?!omen|arguments|version)/ },
]

/**
 * Imports of Node's own modules become calls: an `import` makes a copy of every export first, which loads the streams for
 * `node:fs` alone and takes 10 ms in all.
 */
const builtinsByCall = {
  name: 'builtins-by-call',
  renderChunk(code) {
    return code.replace(/^import\s*\{([^}]*)\}\s*from\s*"(node:[^"]+)";?$/gm, (_, names, from) => {
      const taken = names.replaceAll(/\b([\w$]+) as ([\w$]+)/g, '$1: $2')
      return `const {${taken}} = process.getBuiltinModule("${from}");`
    })
  },
}

/** Each program is bundled on its own: what two bundles share would have to lie in a third file that both wait for. */
async function bundle(name, entry) {
  const build = await rolldown({
    input: { [name]: `${home}/src/${entry}` },
    platform: 'node',
    plugins: [builtinsByCall],
    preserveEntrySignatures: false,
    resolve: {
      alias: { '@omen/engine': resolve(home, '../engine/src/index.ts') },
      extensionAlias: { '.js': ['.ts', '.js'] },
    },
  })
  await build.write({
    dir: `${home}/dist`,
    format: 'esm',
    minify,
    entryFileNames: '[name].js',
    chunkFileNames: `${name}-[name]-[hash].js`,
    codeSplitting: { groups: GROUPS, includeDependenciesRecursively: false },
  })
}

for (const file of readdirSync(`${home}/dist`)) if (file.endsWith('.js')) rmSync(`${home}/dist/${file}`)
await bundle('omen', 'omen.ts')
await bundle('worker', 'threads/worker.ts')
chmodSync(`${home}/dist/omen.js`, 0o755)

// The bundled rules: every document of rules/ in one stream.
const rules = resolve(home, '../../rules')
const documents = readdirSync(rules, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name)
  .sort()
  .map((name) => readFileSync(`${rules}/${name}/rule.yaml`, 'utf8').trimEnd())
writeFileSync(`${home}/dist/rules.yaml`, `${documents.join('\n---\n')}\n`)
