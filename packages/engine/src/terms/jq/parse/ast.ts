import type { Value } from '../values/value.js'

/** The operators that join two values into one. */
export type BinaryOperator = '+' | '-' | '*' | '/' | '%' | '==' | '!=' | '<' | '<=' | '>' | '>='

/** The operator before the `=` of an assignment: nothing, `|` for an update, `//`, or an arithmetic operator. */
export type AssignOperator = '' | '|' | '//' | '+' | '-' | '*' | '/' | '%'

/** What a pattern after `as` takes apart. */
export type JqPattern =
  | { readonly type: 'name'; readonly name: string }
  | { readonly type: 'array'; readonly items: readonly JqPattern[] }
  | { readonly type: 'object'; readonly fields: readonly JqFieldPattern[] }

/** `key: value`, `$name` or `$name: value`, where `name` also takes the whole field. */
export interface JqFieldPattern {
  readonly key: JqNode
  readonly name?: string
  readonly value?: JqPattern
}

/** A field of an object under construction; without a value it is the field of that name of the input. */
export interface JqField {
  readonly key: JqNode
  readonly value: JqNode | null
}

export interface JqParam {
  readonly name: string
  /** `$name`: the argument is evaluated before the body and is a variable too. */
  readonly byValue: boolean
}

/** A parsed filter. `at` is the offset in the filter, in UTF-16 units. */
export type JqNode =
  | { readonly type: 'identity'; readonly at: number }
  | { readonly type: 'recurse'; readonly at: number }
  | { readonly type: 'literal'; readonly at: number; readonly value: Value }
  | { readonly type: 'location'; readonly at: number; readonly line: number }
  | { readonly type: 'variable'; readonly at: number; readonly name: string }
  | { readonly type: 'format'; readonly at: number; readonly name: string }
  | {
      readonly type: 'string'
      readonly at: number
      readonly format: string
      readonly parts: readonly (string | JqNode)[]
    }
  | {
      readonly type: 'index'
      readonly at: number
      readonly target: JqNode
      readonly key: JqNode
      readonly optional: boolean
    }
  | {
      readonly type: 'slice'
      readonly at: number
      readonly target: JqNode
      readonly from: JqNode | null
      readonly to: JqNode | null
      readonly optional: boolean
    }
  | { readonly type: 'iterate'; readonly at: number; readonly target: JqNode; readonly optional: boolean }
  | { readonly type: 'array'; readonly at: number; readonly body: JqNode | null }
  | { readonly type: 'object'; readonly at: number; readonly fields: readonly JqField[] }
  | { readonly type: 'negate'; readonly at: number; readonly body: JqNode }
  | JqJoined<'pipe'>
  | JqJoined<'comma'>
  | JqJoined<'and'>
  | JqJoined<'or'>
  | JqJoined<'alternative'>
  | ({ readonly type: 'binary'; readonly at: number; readonly operator: BinaryOperator } & JqPair)
  | ({ readonly type: 'assign'; readonly at: number; readonly operator: AssignOperator } & JqPair)
  | {
      readonly type: 'if'
      readonly at: number
      readonly condition: JqNode
      readonly then: JqNode
      readonly else: JqNode | null
    }
  | { readonly type: 'try'; readonly at: number; readonly body: JqNode; readonly handler: JqNode | null }
  | {
      readonly type: 'bind'
      readonly at: number
      readonly source: JqNode
      readonly patterns: readonly JqPattern[]
      readonly body: JqNode
    }
  | {
      readonly type: 'reduce'
      readonly at: number
      readonly source: JqNode
      readonly patterns: readonly JqPattern[]
      readonly start: JqNode
      readonly update: JqNode
    }
  | {
      readonly type: 'foreach'
      readonly at: number
      readonly source: JqNode
      readonly patterns: readonly JqPattern[]
      readonly start: JqNode
      readonly update: JqNode
      readonly extract: JqNode | null
    }
  | { readonly type: 'label'; readonly at: number; readonly name: string; readonly body: JqNode }
  | { readonly type: 'break'; readonly at: number; readonly name: string }
  | {
      readonly type: 'def'
      readonly at: number
      readonly name: string
      readonly params: readonly JqParam[]
      readonly body: JqNode
      readonly rest: JqNode
    }
  | { readonly type: 'call'; readonly at: number; readonly name: string; readonly args: readonly JqNode[] }

interface JqJoined<Type> extends JqPair {
  readonly type: Type
  readonly at: number
}

interface JqPair {
  readonly left: JqNode
  readonly right: JqNode
}

/** The nodes of one type. */
export type NodeOf<Type extends JqNode['type']> = Extract<JqNode, { type: Type }>
