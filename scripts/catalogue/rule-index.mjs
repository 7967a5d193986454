import { parse } from 'yaml'

const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info']

const MARKERS = {
  start: '<!-- The table is written by npm run rules:index. -->',
  end: '<!-- The end of the table. -->',
}

/**
 * The page with the index of the rules between its markers: a table for each category, with the rules in the order of their
 * numbers.
 *
 * @example
 * writeFileSync('rules/README.md', withIndex(page, readCatalogue()))
 */
export function withIndex(page, { folders, categories }) {
  const [start, end] = [page.indexOf(MARKERS.start), page.indexOf(MARKERS.end)]
  if (start === -1 || end < start) throw new Error(`the page has no "${MARKERS.start}" and "${MARKERS.end}"`)
  const rules = folders.map(describe)
  const tables = Object.entries(categories).flatMap(([category, about]) => {
    const chosen = rules.filter((rule) => rule.category === category)
    return chosen.length === 0 ? [] : [`### ${about}\n\n${table(chosen)}`]
  })
  const index = [summary(rules), ...tables].join('\n\n')
  return `${page.slice(0, start)}${MARKERS.start}\n\n${index}\n\n${page.slice(end)}`
}

function describe({ name, text }) {
  const { cre, rule } = parse(text).rules[0]
  const { event } = rule.sequence ?? rule.set
  return {
    link: `[${cre.id}](${name}/rule.yaml)`,
    severity: SEVERITIES[cre.severity],
    title: cre.title.replaceAll('|', '\\|'),
    source: `\`${event.source}\``,
    category: cre.category,
    applications: cre.applications.map((application) => application.name),
  }
}

function summary(rules) {
  const applications = new Set(rules.flatMap((rule) => rule.applications))
  const counts = SEVERITIES.map((label) => [label, rules.filter(({ severity }) => severity === label).length])
  const severities = counts.filter(([, count]) => count > 0).map(([label, count]) => `${count} ${label}`)
  return `${rules.length} rules about ${applications.size} applications: ${severities.join(', ')}.`
}

/** A Markdown table in which columns are as wide as their widest cell. */
function table(rules) {
  const rows = [
    ['rule', 'severity', 'finds', 'looks at'],
    ...rules.map(({ link, severity, title, source }) => [link, severity, title, source]),
  ]
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)))
  const line = (cells, fill = ' ') => `| ${cells.map((cell, i) => cell.padEnd(widths[i], fill)).join(' | ')} |`
  const [head, ...others] = rows
  return [
    line(head),
    line(
      widths.map(() => ''),
      '-',
    ),
    ...others.map((row) => line(row)),
  ].join('\n')
}
