// Writes the table of all rules into rules/README.md, between its markers.
//
//   npm run rules:index               writes it
//   npm run rules:index -- --check    exits with 1 if the table is outdated
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CATALOGUE, readCatalogue } from './catalogue/read-catalogue.mjs'
import { withIndex } from './catalogue/rule-index.mjs'

const path = join(CATALOGUE, 'README.md')
const page = readFileSync(path, 'utf8')
const updated = withIndex(page, readCatalogue())
if (page === updated) console.log('rules/README.md is up to date')
else if (process.argv.includes('--check')) {
  console.error('the table in rules/README.md is outdated: npm run rules:index')
  process.exitCode = 1
} else {
  writeFileSync(path, updated)
  console.log('Wrote rules/README.md')
}
