/** Reads a value of a JSON document; undefined when the value is not what the API promises. */
export type Reader<T> = (value: unknown) => T | undefined

type Fields = Readonly<Record<string, Reader<unknown>>>

type ReadFields<F> = { readonly [K in keyof F]: F[K] extends Reader<infer T> ? T : never }

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export const string: Reader<string> = (value) => (typeof value === 'string' ? value : undefined)

export const integer: Reader<number> = (value) => (Number.isSafeInteger(value) ? (value as number) : undefined)

export const boolean: Reader<boolean> = (value) => (typeof value === 'boolean' ? value : undefined)

/** An object with any fields. */
export const record: Reader<Readonly<Record<string, unknown>>> = (value) => (isRecord(value) ? value : undefined)

/** The body of a response that has none, or none of interest. */
export const noContent: Reader<true> = () => true

/** One of these strings. */
export function oneOf<const S extends string>(...allowed: readonly S[]): Reader<S> {
  return (value) => allowed.find((one) => one === value)
}

/** Null where the value is null or missing. */
export function nullable<T>(read: Reader<T>): Reader<T | null> {
  return (value) => (value === null || value === undefined ? null : read(value))
}

/** An array; undefined as soon as one of its items cannot be read. */
export function arrayOf<T>(read: Reader<T>): Reader<readonly T[]> {
  return (value) => {
    if (!Array.isArray(value)) return undefined
    const items = value.map(read)
    return items.includes(undefined) ? undefined : (items as T[])
  }
}

/**
 * An object with these fields. Optional fields may be null or missing, and are left out then; other fields are dropped.
 *
 * @example
 * const readUser = shape({ email: string }, { name: string })
 * readUser({ email: 'alice@acme.com', name: null, more: 1 }) // { email: 'alice@acme.com' }
 */
export function shape<R extends Fields, O extends Fields = Record<never, never>>(
  required: R,
  optional?: O,
): Reader<ReadFields<R> & Partial<ReadFields<O>>> {
  return (value) => {
    if (!isRecord(value)) return undefined
    const present = Object.entries(optional ?? {}).filter(([name]) => value[name] !== null && value[name] !== undefined)
    const entries = [...Object.entries(required), ...present].map(([name, read]) => [name, read(value[name])] as const)
    if (entries.some(([, field]) => field === undefined)) return undefined
    return Object.fromEntries(entries) as ReadFields<R> & Partial<ReadFields<O>>
  }
}
