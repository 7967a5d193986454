/** At least one character that is not white space. Everything else is checked by the code behind the route, after the token. */
export const NOT_BLANK = '\\S'

/** The message about a value that does not match a pattern. A test checks that every pattern of a schema has one. */
export const PATTERN_MESSAGES: Readonly<Record<string, string>> = {
  [NOT_BLANK]: 'contains only spaces',
}

/** A message as a part of another one: only a top-level message has an id and examples. */
export function partOf<S extends { readonly $id: string }>({ $id: _, ...schema }: S): Omit<S, '$id' | 'examples'> {
  const { examples: __, ...part } = schema as typeof schema & { readonly examples?: unknown }
  return part as Omit<S, '$id' | 'examples'>
}

/** A reference to a message, for the schema of a route. */
export function ref({ $id }: { readonly $id: string }): { readonly $ref: string } {
  return { $ref: `${$id}#` }
}
