/** Where a rule comes from: the community, or the requester's organization. */
export type Origin = 'community' | 'private'

/** The labels of severities, from 0: those of the engine, which is too large to load for five strings. */
export const SEVERITY_LABELS = ['critical', 'high', 'medium', 'low', 'info'] as const

/** A rule in the list. The names are those of the API. */
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

/** A rule with all its fields. */
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

/** A response that is ready to be sent: JSON, compressed with brotli, and its entity tag. */
export interface PreparedResponse {
  readonly tag: string
  readonly brotli: Uint8Array
}

/** The rules that a requester can read: the community's, and those of the given organization. */
export interface Catalogue {
  list(organizationId: string | undefined): Promise<PreparedResponse>
  /** Undefined when there is no such rule, or not for this organization. */
  find(id: string, organizationId: string | undefined): Promise<PreparedResponse | undefined>
}
