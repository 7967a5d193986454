/** The operators of `matchExpressions`, as a query has them. */
const OPERATORS: Readonly<Record<string, (key: string, values: string) => string>> = {
  In: (key, values) => `${key} in (${values})`,
  NotIn: (key, values) => `${key} notin (${values})`,
  Exists: (key) => key,
  DoesNotExist: (key) => `!${key}`,
}

/**
 * The selector of an object, as `labelSelector=` takes it; undefined when it has none, as a service for something outside of
 * the cluster.
 *
 * @example
 * readSelector({ spec: { selector: { matchLabels: { app: 'web' } } } }) // 'app=web'
 */
export function readSelector(object: unknown): string | undefined {
  const selector = (object as { spec?: { selector?: unknown } } | null)?.spec?.selector
  if (typeof selector !== 'object' || selector === null) return undefined
  const { matchLabels, matchExpressions } = selector as { matchLabels?: unknown; matchExpressions?: unknown }
  // Services and replication controllers have the labels themselves.
  const isPlain = matchLabels === undefined && matchExpressions === undefined
  const labels = Object.entries((isPlain ? selector : matchLabels) ?? {}).map(([key, value]) => `${key}=${value}`)
  const expressions = Array.isArray(matchExpressions) ? matchExpressions.flatMap(readExpression) : []
  const parts = [...labels, ...expressions]
  return parts.length === 0 ? undefined : parts.join(',')
}

function readExpression(expression: unknown): readonly string[] {
  const { key, operator, values } = (expression ?? {}) as { key?: unknown; operator?: unknown; values?: unknown }
  const write = Object.hasOwn(OPERATORS, String(operator)) ? OPERATORS[String(operator)] : undefined
  if (typeof key !== 'string' || !write) return []
  return [write(key, Array.isArray(values) ? values.join(',') : '')]
}
