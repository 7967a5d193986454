/** Where a rule comes from: from everybody, or from the organization of whoever looks. */
export type Origin = 'community' | 'private'

/** What the numbers of severities mean, from 0: those of the engine, which is too large to be loaded for five words. */
export const SEVERITY_LABELS = ['critical', 'high', 'medium', 'low', 'info'] as const

/** A rule as it stands in the list. The names are those of the API. */
export interface ListedRule {
  readonly id: string
  readonly title: string
  readonly severity: number
  readonly severity_label: (typeof SEVERITY_LABELS)[number]
  readonly category: string
  readonly tags: readonly string[]
  readonly applications: readonly string[]
  readonly cause: string
  readonly package: Origin
}

/** All that there is to know about a rule. */
export interface WholeRule extends ListedRule {
  readonly description: string
  readonly impact: string
  readonly mitigation: string
  readonly references: readonly string[]
  /** The version of the package. */
  readonly version: string
  /** The rule document. */
  readonly yaml: string
}

/** An answer that is ready to be sent: JSON, compressed with brotli, and the tag by which a client asks whether it has changed. */
export interface PreparedAnswer {
  readonly tag: string
  readonly brotli: Uint8Array
}

/** The rules that can be looked at. Private ones are those of the organization that is named. */
export interface Catalogue {
  list(organizationId: string | undefined): Promise<PreparedAnswer>
  /** Undefined when there is no such rule, or not for this organization. */
  find(id: string, organizationId: string | undefined): Promise<PreparedAnswer | undefined>
}
