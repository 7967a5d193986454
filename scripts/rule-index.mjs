// Writes the table of all rules into rules/README.md, between its markers.
//
//   npm run rules:index               writes it
//   npm run rules:index -- --check    says whether it is stale, and exits with 1
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CATALOGUE, readCatalogue } from './catalogue/read-catalogue.mjs'
import { withIndex } from './catalogue/rule-index.mjs'

const path = join(CATALOGUE, 'README.md')
const page = readFileSync(path, 'utf8')
const fresh = withIndex(page, readCatalogue())
if (page === fresh) console.log('rules/README.md is up to date')
else if (process.argv.includes('--check')) {
  console.error('the table in rules/README.md is stale: npm run rules:index')
  process.exitCode = 1
} else {
  writeFileSync(path, fresh)
  console.log('Wrote rules/README.md')
}
