/** The inside of a bracket expression, as RE2 writes it and as JavaScript's RegExp does (with its `v` flag). */
export interface Inside {
  readonly re2: string
  readonly js: string
}

/** A set of characters. */
export interface CharacterSet extends Inside {
  readonly negated: boolean
  /** Sets all but whose characters belong to it too: the `\W` of `[-\W]`. */
  readonly outside?: readonly Inside[]
}

export type Anchor =
  | 'start'
  | 'end'
  | 'semi-end'
  | 'line-start'
  | 'line-end'
  | 'word-edge'
  | 'no-word-edge'
  | 'search-start'

/** A parsed pattern of the regular expressions that jq knows (Oniguruma, with the syntax of Perl). */
export type OnigNode =
  | { readonly type: 'empty' }
  | { readonly type: 'text'; readonly text: string; readonly fold: boolean }
  | { readonly type: 'set'; readonly set: CharacterSet; readonly fold: boolean }
  | { readonly type: 'any'; readonly newline: boolean }
  | { readonly type: 'anchor'; readonly anchor: Anchor }
  | { readonly type: 'sequence'; readonly items: readonly OnigNode[] }
  | { readonly type: 'either'; readonly items: readonly OnigNode[] }
  | {
      readonly type: 'repeat'
      readonly body: OnigNode
      readonly min: number
      readonly max: number
      readonly mode: 'greedy' | 'lazy' | 'possessive'
    }
  | { readonly type: 'group'; readonly body: OnigNode; readonly index: number }
  | { readonly type: 'atomic'; readonly body: OnigNode }
  | { readonly type: 'look'; readonly body: OnigNode; readonly ahead: boolean; readonly negative: boolean }
  | { readonly type: 'reference'; readonly groups: readonly number[]; readonly fold: boolean }
  | { readonly type: 'keep' }

export interface OnigPattern {
  readonly node: OnigNode
  /** The name of each group, null for those without; the whole match is not among them. */
  readonly names: readonly (string | null)[]
}

/** A pattern that cannot be used; `offset` counts from its start. */
export class OnigError {
  readonly message: string
  readonly offset: number

  constructor(message: string, offset: number) {
    this.message = message
    this.offset = offset
  }
}
