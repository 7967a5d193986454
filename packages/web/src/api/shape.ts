import { isRecord } from './failure.js'

/** Reads a value of somebody else's JSON; undefined when it is not what was agreed on. */
export type Reader<T> = (value: unknown) => T | undefined

/** What a reader reads. */
export type Read<R> = R extends Reader<infer T> ? T : never

export const text: Reader<string> = (value) => (typeof value === 'string' ? value : undefined)

export const whole: Reader<number> = (value) => (Number.isSafeInteger(value) ? (value as number) : undefined)

export const flag: Reader<boolean> = (value) => (typeof value === 'boolean' ? value : undefined)

/** Whatever an object holds. */
export const anything: Reader<Readonly<Record<string, unknown>>> = (value) => (isRecord(value) ? value : undefined)

/** The answer of a call that gives nothing back. */
export const nothing: Reader<true> = () => true

/** One of several words. */
export function oneOf<const W extends string>(...words: readonly W[]): Reader<W> {
  return (value) => words.find((word) => word === value)
}

/** Null where the value is null or missing. */
export function orNull<T>(read: Reader<T>): Reader<T | null> {
  return (value) => (value === null || value === undefined ? null : read(value))
}

/** A list in which every item can be read. */
export function listOf<T>(read: Reader<T>): Reader<readonly T[]> {
  return (value) => {
    if (!Array.isArray(value)) return undefined
    const items = value.map(read)
    return items.includes(undefined) ? undefined : (items as T[])
  }
}

/**
 * An object with these fields; others are left out.
 *
 * @example
 * const readMe = shape({ email: text, name: text })
 * readMe({ email: 'alice@acme.com', name: 'Alice', more: 1 }) // { email: 'alice@acme.com', name: 'Alice' }
 */
export function shape<S extends Readonly<Record<string, Reader<unknown>>>>(
  fields: S,
): Reader<{ readonly [K in keyof S]: Read<S[K]> }> {
  return (value) => {
    if (!isRecord(value)) return undefined
    const entries = Object.entries(fields).map(([name, read]) => [name, read(value[name])] as const)
    if (entries.some(([, field]) => field === undefined)) return undefined
    return Object.fromEntries(entries) as { readonly [K in keyof S]: Read<S[K]> }
  }
}
