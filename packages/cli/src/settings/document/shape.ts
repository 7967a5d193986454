/** Shapes that are written as one word or text, with what a program gets. */
interface Scalars {
  /** One line of text. */
  text: string
  /** Any text. */
  prose: string
  boolean: boolean
  /** Made absolute: relative paths start at the file, `~/` at the home. */
  path: string
  /** The same, and `-` is standard input. */
  'path-pattern': string
  /** `http://` or `https://`. */
  url: string
  /** Three numbers with dots, without a leading `v`. */
  version: string
  /** The regular expression that finds a timestamp. */
  'time-pattern': string
  /** How a timestamp is written. */
  'time-format': string
  /** A PEM text, or the absolute path of a file that holds one. */
  'public-key': string
}

/** What the value of a key is. A duration of zero may be written `off`. */
export type Shape =
  | { readonly is: keyof Scalars }
  | { readonly is: 'integer'; readonly from: number; readonly to: number }
  | { readonly is: 'duration' }
  | { readonly is: 'choice'; readonly of: readonly string[] }
  | { readonly is: 'list'; readonly of: Shape /** At least one item. */; readonly filled?: true }
  | { readonly is: 'map'; readonly keys: Keys }

export type ScalarShape = Exclude<Shape, { readonly is: 'list' | 'map' }>

/** One key of a file: reading, messages, `omen config` and the tables of the manual are made from it. */
export interface Key {
  readonly shape: Shape
  readonly about: string
  /** As it would be written in the file. */
  readonly default?: string
  readonly required?: true
  /** Recognised so that a warning can say where it belongs; it has no effect. */
  readonly misplaced?: true
  /** Never shown, whole or in part. */
  readonly secret?: true
  /** Other names under which people look for it: they get a hint, no more. */
  readonly mistakenFor?: readonly string[]
}

export type Keys = Readonly<Record<string, Key>>

/** What a program gets for a value of a shape. */
export type ValueOf<S extends Shape> = S extends { readonly is: 'list'; readonly of: infer Item extends Shape }
  ? readonly ValueOf<Item>[]
  : S extends { readonly is: 'map'; readonly keys: infer K extends Keys }
    ? MapValue<K>
    : S extends { readonly is: 'choice'; readonly of: readonly (infer Choice)[] }
      ? Choice
      : S extends { readonly is: 'integer' }
        ? number
        : S extends { readonly is: 'duration' }
          ? bigint
          : S extends { readonly is: infer Name extends keyof Scalars }
            ? Scalars[Name]
            : never

/** A map as it was read: keys that are not required may be absent. */
export type MapValue<K extends Keys> = {
  readonly [Name in keyof K]:
    | ValueOf<K[Name]['shape']>
    | (K[Name] extends { readonly required: true } ? never : undefined)
}

/** The keys that hold a value, with their full names: `rules.paths` for `paths` in `rules`. */
export function leavesOf(keys: Keys, prefix = ''): readonly (readonly [name: string, key: Key])[] {
  return Object.entries(keys).flatMap(([name, key]) => {
    if (key.misplaced) return []
    return key.shape.is === 'map' ? leavesOf(key.shape.keys, `${prefix}${name}.`) : [[prefix + name, key] as const]
  })
}
