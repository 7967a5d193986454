import { createPaint, type Paint } from '../console/text/paint.js'
import { sanitize } from '../console/text/sanitize.js'
import { pad, visibleWidth } from '../console/text/width.js'
import type { ConfigReport, Plain, ReportedSetting } from './describe-settings.js'

type Row = readonly [string, string, string]

const HEADINGS: Row = ['KEY', 'VALUE', 'FROM']

/**
 * Formats the output of `omen config`: the paths, then a table of every key with its value and origin.
 *
 * @example
 * renderConfig(report, screen) // 'Configuration folder  /home/ada/.preq  default\n…'
 */
export function renderConfig(report: ConfigReport, { colours = false } = {}): string {
  const { folder, file, ruleCache, packages, settings } = report
  const paint = createPaint(colours)
  const places: readonly Row[] = [
    ['Configuration folder', folder.path, folder.from],
    ['config.yaml', file.path, file.exists ? '' : 'does not exist; the defaults apply'],
    ['Rule cache', ruleCache, ''],
    ...packages.map(({ name, version, path }): Row => [name, version ?? 'no version', path]),
  ]
  const rows: readonly Row[] = [HEADINGS, ...settings.flatMap(rowsOf)]
  return `${align(places, paint)}\n${align(rows, paint)}`
}

/** Formats the output of `omen config --json`. Secrets are masked. */
export function configAsJson({ folder, file, ruleCache, packages, settings }: ConfigReport): string {
  const entries = settings.map(({ name, isList, values }) => {
    const value = isList ? values.map((item) => item.value) : values[0]!.value
    const from = [...new Set(values.map((item) => item.from))].join(', ')
    return [name, { value, from: from || 'default' }] as const
  })
  return `${JSON.stringify({ folder, file, ruleCache, packages, settings: Object.fromEntries(entries) }, null, 2)}\n`
}

function rowsOf({ name, values }: ReportedSetting): readonly Row[] {
  if (values.length === 0) return [[name, 'none', 'default']]
  return values.map(({ value, from }, index) => [index === 0 ? name : '', describe(value), from])
}

function describe(value: Plain): string {
  if (value === null) return 'none'
  if (typeof value !== 'object') return String(value)
  return Object.values(value).map(describe).join('  ')
}

/** Aligns columns, two spaces apart. Defaults are dimmed. */
function align(rows: readonly Row[], paint: Paint): string {
  const safe = rows.map((row) => row.map(sanitize))
  const [first = 0, second = 0] = [0, 1].map((column) => Math.max(...safe.map((row) => visibleWidth(row[column]!))))
  const lines = safe.map(([name = '', value = '', from = '']) => {
    const line = `${pad(name, first)}  ${pad(value, second)}  ${from}`.trimEnd()
    if (name === HEADINGS[0]) return paint('heading', line)
    return from === 'default' ? paint('dim', line) : line
  })
  return `${lines.join('\n')}\n`
}
