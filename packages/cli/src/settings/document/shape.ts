/** The shapes that are scalars, with the type of their values. */
interface Scalars {
  /** A string in one line. */
  text: string
  /** Any string. */
  prose: string
  boolean: boolean
  /** An absolute path: relative ones start at the folder of the file, `~/` at the home folder. */
  path: string
  /** The same, and `-` is standard input. */
  'path-pattern': string
  /** `http://` or `https://`. */
  url: string
  /** Three numbers with dots, without a leading `v`. */
  version: string
  /** The regular expression that finds a timestamp. */
  'time-pattern': string
  /** The format of a timestamp. */
  'time-format': string
  /** `local`, or a time zone: a name or an offset. */
  zone: string
  /** A key in PEM, or the absolute path of a file that contains one. */
  'public-key': string
}

/** The type of a value. A duration of zero may be written `off`. */
export type Shape =
  | { readonly is: keyof Scalars }
  | { readonly is: 'integer'; readonly from: number; readonly to: number }
  | { readonly is: 'duration' }
  | { readonly is: 'choice'; readonly of: readonly string[] }
  | { readonly is: 'list'; readonly of: Shape /** At least one item. */; readonly filled?: true }
  | { readonly is: 'map'; readonly keys: Keys }

export type ScalarShape = Exclude<Shape, { readonly is: 'list' | 'map' }>

/** A key of a file. Reading, messages, `omen config` and the tables of the manual are derived from it. */
export interface Key {
  readonly shape: Shape
  readonly about: string
  /** The default as it would be written in the file. */
  readonly default?: string
  readonly required?: true
  /** The key has no effect here; it is known so that a warning can name the right place. */
  readonly misplaced?: true
  /** The value is never shown, not even in part. */
  readonly secret?: true
  /** Other names that users may try; they get a hint. */
  readonly mistakenFor?: readonly string[]
}

export type Keys = Readonly<Record<string, Key>>

/** The TypeScript type of a value of a shape. */
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

/** The TypeScript type of a map; keys that are not required may be undefined. */
export type MapValue<K extends Keys> = {
  readonly [Name in keyof K]:
    | ValueOf<K[Name]['shape']>
    | (K[Name] extends { readonly required: true } ? never : undefined)
}

/** The keys whose value is not a map, with their full names: `rules.paths` for `paths` in `rules`. */
export function leavesOf(keys: Keys, prefix = ''): readonly (readonly [name: string, key: Key])[] {
  return Object.entries(keys).flatMap(([name, key]) => {
    if (key.misplaced) return []
    return key.shape.is === 'map' ? leavesOf(key.shape.keys, `${prefix}${name}.`) : [[prefix + name, key] as const]
  })
}
