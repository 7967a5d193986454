// Runs every rule of rules/ on every log of rules/ and on the ordinary logs of the benchmark, and lists the rules that match a
// log that they should not.
//
//   node scripts/rule-matrix.mjs                 everything
//   node scripts/rule-matrix.mjs --rule 10013    one rule: the logs it matches, and the rules that match its logs (may be repeated)
//   node scripts/rule-matrix.mjs --all           a row for each rule: = its own log, + declared, ! wrong, - silent
//   node scripts/rule-matrix.mjs --json          the same for programs
import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { compileCatalogue, confusion } from './catalogue/confusion.mjs'
import { describeConfusion, drawMatrix } from './catalogue/describe-confusion.mjs'
import { quietLogs } from './catalogue/quiet-logs.mjs'
import { readCatalogue } from './catalogue/read-catalogue.mjs'

const BUILT = {
  engine: new URL('../packages/engine/bundle/index.js', import.meta.url),
  generate: new URL('../bench/dist/generate.js', import.meta.url),
  families: new URL('../bench/dist/generate/families.js', import.meta.url),
}

async function loadBuilt() {
  if (Object.values(BUILT).some((url) => !existsSync(url))) {
    console.error('rule-matrix needs the built engine and bench: npm run build')
    process.exit(2)
  }
  const [engine, { generateLog }, { FAMILIES }] = await Promise.all(Object.values(BUILT).map((url) => import(url.href)))
  return { engine, bench: { generateLog, FAMILIES } }
}

/** Filters for the rules given by --rule: an ID or the end of one. */
function filtersFor(wanted) {
  const isWanted = (text) => wanted.length === 0 || wanted.some((end) => text.toUpperCase().endsWith(end.toUpperCase()))
  return { rule: isWanted, hit: ({ rule, log }) => isWanted(rule) || isWanted(log.split('/')[0]) }
}

const { values } = parseArgs({
  options: {
    rule: { type: 'string', multiple: true, default: [] },
    all: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
})
const { engine, bench } = await loadBuilt()
const catalogue = readCatalogue()
const { rules, broken, folders } = await compileCatalogue(engine, catalogue.folders)
const found = confusion(engine, { rules, folders, overlaps: catalogue.overlaps, quiet: quietLogs(bench) })
const wanted = filtersFor(values.rule)
const shown = {
  broken: broken.filter(({ folder }) => wanted.rule(folder)),
  silent: found.silent.filter(wanted.rule),
  own: found.own.filter(wanted.rule),
  undeclared: found.undeclared.filter(wanted.hit),
  overlapping: found.overlapping.filter(wanted.hit),
  stale: found.stale.filter(wanted.hit),
  warnings: found.warnings.filter(({ log }) => wanted.rule(log.split('/')[0])),
}
if (values.json) console.log(JSON.stringify(shown, null, 2))
else {
  if (values.all || values.rule.length > 0) console.log(drawMatrix(shown))
  console.log(describeConfusion(shown))
}
const problems = [shown.broken, shown.silent, shown.undeclared, shown.stale, shown.warnings]
process.exitCode = problems.some((list) => list.length > 0) ? 1 : 0
