// Packs the bundled rules into one document, like a published package of rules, and compiles them, so that a run with only these
// rules compiles nothing.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'

/** The name of these rules in messages; the same as in src/rules/loading/community-rules.ts. */
const NAME = 'bundled rules'

/**
 * Writes `rules.yaml` and `rules.compiled`.
 *
 * @example
 * await packRules({ from: 'rules', to: 'packages/cli/dist', engine: 'packages/engine/src/index.ts' })
 */
export async function packRules({ from, to, engine }) {
  const documents = readdirSync(from, { recursive: true })
    .filter((name) => /^package\.yaml$|[/\\]rule\.yaml$/.test(name))
    .sort()
    .map((name) => ({ name, text: readFileSync(join(from, name), 'utf8') }))
  const { packRules: pack, exportRules } = await loadEngine(engine)
  const { text, rules } = await pack(documents, { name: NAME })
  writeFileSync(join(to, 'rules.yaml'), text)
  writeFileSync(join(to, 'rules.compiled'), exportRules(rules))
}

/** The engine from its source: an earlier build of it may be older than the tool that reads the result. */
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
