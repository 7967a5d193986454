// Packs the bundled rules: every document of rules/ in one stream, and the same compiled, so that a run with these rules alone
// has nothing to compile.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'

/** The name that messages about these rules carry, in src/rules/bundled.ts too. */
const NAME = 'bundled rules'

/**
 * Writes `rules.yaml` and `rules.compiled`.
 *
 * @example
 * await packRules({ from: 'rules', to: 'packages/cli/dist', engine: 'packages/engine/src/index.ts' })
 */
export async function packRules({ from, to, engine }) {
  const text = readdirSync(from, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()
    .map((name) => `${readFileSync(join(from, name, 'rule.yaml'), 'utf8').trimEnd()}\n`)
    .join('---\n')
  writeFileSync(join(to, 'rules.yaml'), text)
  const { compileRules, exportRules } = await loadEngine(engine)
  writeFileSync(join(to, 'rules.compiled'), exportRules(await compileRules([{ name: NAME, text }])))
}

/** The engine as it stands in the source: what was built of it before may be older than the tool that reads the result. */
async function loadEngine(entry) {
  const folder = mkdtempSync(join(tmpdir(), 'omen-build-'))
  try {
    const bundle = await rolldown({ input: entry, resolve: { extensionAlias: { '.js': ['.ts', '.js'] } } })
    await bundle.write({ file: join(folder, 'engine.mjs'), codeSplitting: false })
    return await import(pathToFileURL(join(folder, 'engine.mjs')))
  } finally {
    rmSync(folder, { recursive: true })
  }
}
