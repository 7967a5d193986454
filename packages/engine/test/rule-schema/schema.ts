import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { parseAllDocuments } from 'yaml'

/** The keywords of the schema that the tests read. */
export interface SchemaPart {
  readonly description?: string
  readonly examples?: readonly unknown[]
  readonly properties?: Readonly<Record<string, SchemaPart | boolean>>
  readonly required?: readonly string[]
  readonly additionalProperties?: SchemaPart | false
  readonly $defs?: Readonly<Record<string, SchemaPart>>
}

const file = new URL('../../../../rules/rule.schema.json', import.meta.url)

/** The schema of a rule document, as it ships. */
export const schema: SchemaPart = JSON.parse(readFileSync(file, 'utf8'))

/** Keywords for editors, which do not affect validation. */
const FOR_EDITORS = ['defaultSnippets']

const options = { strict: true, allowUnionTypes: true, strictRequired: false, strictTypes: false, allErrors: true }

const validator = new Ajv2020(options)
validator.addVocabulary(FOR_EDITORS)
const validate = validator.compile(schema)

/** Editors that know JSON Schema up to draft 7 read the same file. */
const olderValidator = new Ajv({ ...options, strict: false })
const validateAsOlder = olderValidator.compile({ ...schema, $schema: 'http://json-schema.org/draft-07/schema#' })

/** The errors of a document, given as the value of its YAML; empty if the schema accepts it. */
export function objections(document: unknown): string[] {
  validate(document)
  const found = (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath || '/'} ${message}`)
  if (validateAsOlder(document) !== (found.length === 0)) throw new Error('the drafts do not agree on this document')
  return found
}

/** The documents of a YAML stream that are not empty, as an editor sees them. */
export function documentsIn(text: string): unknown[] {
  return parseAllDocuments(text, { merge: true })
    .map((document) => document.toJS({ maxAliasCount: -1 }))
    .filter((document) => document !== null && document !== undefined)
}

/** Whether a value fits a part of the schema, given by its path. */
export function fits(pointer: string, value: unknown): boolean {
  const part = validator.compile({ $ref: `${(schema as { $id: string }).$id}#${pointer}` })
  return part(value) as boolean
}
