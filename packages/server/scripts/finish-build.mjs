// What the compiler leaves to do: the program can be started, and what it serves of the catalogue lies beside it.
import { chmodSync, copyFileSync, writeFileSync } from 'node:fs'
import { readRuleFolder } from '../dist/operator/release-files.js'
import { packPackage } from '../dist/releases/pack-package.js'

chmodSync('dist/omen-server.js', 0o755)
copyFileSync('../../rules/rule.schema.json', 'dist/rule.schema.json')

// The community's rules as they are now, for the catalogue of a service that has published none yet.
const { bytes } = await packPackage(await readRuleFolder('../../rules'), { channel: 'public' })
writeFileSync('dist/rules.yaml.gz', bytes)
