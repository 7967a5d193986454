// Builds the tool: dist/omen.js, dist/kubectl-omen.js and dist/worker.js start it, dist/parts/ contains its code, and the bundled
// rules are beside them. Nothing else is needed to run it.
//
//   node scripts/bundle.mjs [--readable]
import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { thirdPartyLicenses } from './licenses.mjs'
import { packRules } from './pack-rules.mjs'
import { bundleLauncher, bundleParts, filesWith } from './parts.mjs'

const home = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const source = `${home}/src`
const dist = `${home}/dist`
const engine = resolve(home, '../engine/src')
const minify = !process.argv.includes('--readable')

const parts = await bundleParts({ source, engine, minify })

mkdirSync(dist, { recursive: true })
for (const file of readdirSync(dist)) if (file.endsWith('.js')) rmSync(`${dist}/${file}`)
rmSync(`${dist}/parts`, { recursive: true, force: true })
mkdirSync(`${dist}/parts`)
for (const [name, text] of filesWith(parts)) writeFileSync(`${dist}/parts/${name}`, text)
for (const name of ['omen', 'worker']) {
  await bundleLauncher({
    entry: `${source}/packaged/launch-${name}.ts`,
    engine,
    parts,
    file: `${dist}/${name}.js`,
    minify,
  })
}
chmodSync(`${dist}/omen.js`, 0o755)
// The same program under other names: kubectl finds its plugins and their completion by name.
for (const name of ['kubectl-omen', 'kubectl_complete-omen']) copyFileSync(`${dist}/omen.js`, `${dist}/${name}.js`)
// The package.json of the tool declares ES modules, and these files are CommonJS.
writeFileSync(`${dist}/package.json`, '{ "type": "commonjs" }\n')
writeFileSync(`${dist}/THIRD-PARTY-LICENSES`, thirdPartyLicenses(parts.flatMap(({ modules }) => modules)))
copyFileSync(resolve(home, '../../rules/rule.schema.json'), `${dist}/rule.schema.json`)
await packRules({ from: resolve(home, '../../rules'), to: dist, engine: `${engine}/index.ts` })
// The public keys that sign updates, if the builder of the tool has such a file; without it, users configure the keys they trust.
rmSync(`${dist}/release-keys.pem`, { force: true })
if (existsSync(`${home}/release-keys.pem`)) copyFileSync(`${home}/release-keys.pem`, `${dist}/release-keys.pem`)
