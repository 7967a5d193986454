// Runs after the compiler: makes the program executable, and copies the rule schema and the rules beside it.
import { chmodSync, copyFileSync, writeFileSync } from 'node:fs'
import { readRuleFolder } from '../dist/operator/release-files.js'
import { packPackage } from '../dist/releases/pack-package.js'

chmodSync('dist/omen-server.js', 0o755)
copyFileSync('../../rules/rule.schema.json', 'dist/rule.schema.json')

// The rules of this checkout, for the catalogue of a service that has not published any.
const { bytes } = await packPackage(await readRuleFolder('../../rules'), { channel: 'public' })
writeFileSync('dist/rules.yaml.gz', bytes)
