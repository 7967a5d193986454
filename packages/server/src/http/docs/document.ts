/** The parts of an OpenAPI document that the page shows. */
export interface ApiDocument {
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly servers: readonly { readonly url: string }[]
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Message>> }
}

export interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly tags: readonly string[]
  readonly security?: readonly object[]
  /** The server of the operation, if it is not the server of the document. */
  readonly servers?: readonly { readonly url: string }[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: Content }>>
}

export interface Parameter {
  readonly name: string
  readonly in: string
  readonly description: string
  readonly example?: string
}

/** By media type. */
export type Content = Readonly<
  Record<string, { readonly schema: { readonly $ref: string }; readonly examples?: Readonly<Record<string, unknown>> }>
>

export interface Message {
  readonly description: string
  readonly properties: Readonly<Record<string, Field>>
  readonly examples?: readonly unknown[]
}

export interface Field {
  readonly type: string | readonly string[]
  /** One of several types, for a field without `type`. */
  readonly anyOf?: readonly Pick<Field, 'type'>[]
  readonly description?: string
  readonly maxLength?: number
  readonly const?: string
  readonly enum?: readonly string[]
}

/** The message of a body. */
export function messageOf(document: ApiDocument, content: Content): Message {
  const [{ schema }] = Object.values(content) as [Content[string]]
  return document.components.schemas[schema.$ref.split('/').at(-1)!]!
}
