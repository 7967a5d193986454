/** What the numbers of `cre.severity` mean, from 0. A rule without one counts as critical. */
export const SEVERITY_LABELS = ['critical', 'high', 'medium', 'low', 'info'] as const

/** The label of a severity. */
export function severityLabel(severity: number | undefined): (typeof SEVERITY_LABELS)[number] {
  return SEVERITY_LABELS[severity ?? 0] ?? 'info'
}
