import { type CompiledRules, severityLabel } from '@omen/engine'
import { formatCount } from '../console/text/amounts.js'
import { sanitize } from '../console/text/sanitize.js'
import { findKnownType, shortName } from './known-types.js'
import { quoteScalar } from './quote-scalar.js'

type Rule = CompiledRules['rules'][number]

/** The number of rules of a type that the template names. */
const RULES_NAMED = 3

/** The version of the format of data source files. */
const FORMAT_VERSION = '0.1.0'

/**
 * Generates a data source file with a commented entry for each source type of the rules, sorted. It can be used with `-s` after its
 * paths have been adapted.
 *
 * @example
 * await writeFile('data-sources-1.4.0.yaml', dataSourceTemplate(rules, '1.4.0'))
 */
export function dataSourceTemplate({ rules }: CompiledRules, version: string): string {
  const types = rulesByType(rules)
  const names = new Set<string>()
  const entries = [...types.keys()].sort().map((type) => entryOf(type, types.get(type)!, uniqueName(type, names)))
  return `${header(version, rules.length, types.size)}
version: ${FORMAT_VERSION}
sources:
${entries.join('\n')}`
}

function header(version: string, rules: number, types: number): string {
  return `# Data sources for omen: which logs to read, and which rules to run on them.
# Generated from rules ${version}: ${formatCount(rules, 'rule')} for ${formatCount(types, 'type')} of data.
#
#   1. Delete the sources that you do not have.
#   2. Set the paths of your logs. Globs and folders are allowed; gzip, zstd, bzip2 and xz are decompressed.
#   3. Run: omen -s <this file>
#
# The rules of a type run on every source of that type. The type "*" runs all rules.`
}

function rulesByType(rules: readonly Rule[]): Map<string, Rule[]> {
  const types = new Map<string, Rule[]>()
  for (const rule of rules) {
    const known = types.get(rule.source)
    if (known) known.push(rule)
    else types.set(rule.source, [rule])
  }
  return types
}

function entryOf(type: string, rules: readonly Rule[], name: string): string {
  const known = findKnownType(type)
  const about = known?.about ?? (type === '*' ? 'Anything' : undefined)
  const [path, ...others] = known?.paths ?? [`/var/log/${pathName(name)}/*.log`]
  const lines = [
    '',
    ...describeRules(type, rules).map((line) => `  # ${line}`),
    `  - name: ${quoteScalar(name)}`,
    `    type: ${quoteScalar(type)}`,
    ...(about === undefined ? [] : [`    desc: ${quoteScalar(about)}`]),
    '    locations:',
    `      - path: ${quoteScalar(path)}`,
    ...others.map((other) => `      # - path: ${quoteScalar(other)}`),
  ]
  return `${lines.join('\n')}\n`
}

/** The most severe first. */
function describeRules(type: string, rules: readonly Rule[]): string[] {
  const sorted = rules.toSorted((a, b) => (a.cre.severity ?? 0) - (b.cre.severity ?? 0))
  const named = sorted.slice(0, RULES_NAMED).map(({ cre }) => {
    const title = cre.title === undefined ? '' : `, ${sanitize(cre.title)}`
    return `  ${cre.id} ${severityLabel(cre.severity)}${title}`
  })
  const left = rules.length - named.length
  const more = left > 0 ? [`  and ${left} more: omen rules list ${sanitize(type)}`] : []
  return [`${formatCount(rules.length, 'rule')}:`, ...named, ...more]
}

function uniqueName(type: string, names: Set<string>): string {
  const short = type === '*' ? 'everything' : sanitize(shortName(type)).replaceAll('.', '-')
  let name = short
  for (let number = 2; names.has(name); number++) name = `${short}-${number}`
  names.add(name)
  return name
}

/** A name that can be part of a path, without special characters of globs. */
function pathName(name: string): string {
  return name.replace(/[^\w.-]+/g, '-').replace(/^-+|-+$/g, '') || 'app'
}
