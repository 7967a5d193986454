/** Something that is wrong or unwise in a rule document. Both numbers count from 1; 0 where there is no place. */
export interface LintRemark {
  readonly level: 'error' | 'warning'
  readonly file: string
  readonly line: number
  readonly column: number
  readonly creId?: string
  readonly message: string
}

/** A remark about a place in a text. */
export interface PlacedRemark {
  readonly at: number
  readonly creId?: string | undefined
  readonly message: string
}
