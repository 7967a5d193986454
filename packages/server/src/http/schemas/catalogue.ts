import type { FromSchema, JSONSchema } from 'json-schema-to-ts'
import { SEVERITY_LABELS } from '../../catalogue/catalogue.js'
import type { ProblemCode } from '../../problem.js'

const LISTED = {
  id: { type: 'string', description: 'Such as `CRE-2026-10001`.' },
  title: { type: 'string', description: 'May be empty.' },
  severity: { type: 'integer', description: 'From 0, the most severe. A rule without a severity is critical.' },
  severity_label: { type: 'string', enum: SEVERITY_LABELS },
  category: { type: 'string', description: 'The category of the problem; may be empty.' },
  tags: { type: 'array', items: { type: 'string' } },
  applications: { type: 'array', items: { type: 'string' }, description: 'The names of the affected software.' },
  cause: { type: 'string', description: 'Markdown; may be empty.' },
  package: {
    type: 'string',
    enum: ['community', 'private'],
    description: 'The package of the community, or the private package of the requester’s organization.',
  },
} as const satisfies Record<string, JSONSchema>

const LISTED_FIELDS = [
  'id',
  'title',
  'severity',
  'severity_label',
  'category',
  'tags',
  'applications',
  'cause',
  'package',
] as const

const EXAMPLE = {
  id: 'CRE-2026-10001',
  title: 'PostgreSQL refuses connections because every slot is taken',
  severity: 1,
  severity_label: 'high',
  category: 'database-problem',
  tags: ['postgresql', 'connections'],
  applications: ['PostgreSQL'],
  cause: 'Usually connections that are held, not load.',
  package: 'community',
} as const

/** The response of `GET /v1/catalogue`. */
export const RULE_CATALOGUE = {
  $id: 'RuleCatalogue',
  type: 'object',
  description: 'The rules of the newest packages, in no particular order.',
  required: ['version', 'rules'],
  additionalProperties: false,
  properties: {
    version: { type: 'string', description: 'The version of the community package.' },
    private_version: {
      type: 'string',
      description: 'The version of the organization’s private package, if it has one.',
    },
    rules: {
      type: 'array',
      description: 'The fields of each rule that a list shows.',
      items: { type: 'object', required: LISTED_FIELDS, additionalProperties: false, properties: LISTED },
    },
  },
  examples: [{ version: '1.4.0', rules: [EXAMPLE] }],
} as const satisfies JSONSchema

const WHOLE = {
  ...LISTED,
  description: { type: 'string', description: 'Markdown; may be empty.' },
  impact: { type: 'string', description: 'Markdown; may be empty.' },
  mitigation: { type: 'string', description: 'Markdown; may be empty.' },
  references: { type: 'array', items: { type: 'string' }, description: 'URLs with further information.' },
  version: { type: 'string', description: 'The version of the package.' },
  yaml: { type: 'string', description: 'The rule document, as YAML.' },
} as const satisfies Record<string, JSONSchema>

/** The response of `GET /v1/catalogue/<id>`. */
export const CATALOGUE_RULE = {
  $id: 'CatalogueRule',
  type: 'object',
  description: 'A rule with its description and its document.',
  required: [...LISTED_FIELDS, 'description', 'impact', 'mitigation', 'references', 'version', 'yaml'],
  additionalProperties: false,
  properties: WHOLE,
  examples: [
    {
      ...EXAMPLE,
      description: 'The server has reached `max_connections`.',
      impact: 'Every request that needs a new connection fails.',
      mitigation: '- See who holds the slots',
      references: ['https://docs.example.com/connections'],
      version: '1.4.0',
      yaml: 'rules:\n  - cre:\n      id: CRE-2026-10001\n',
    },
  ],
} as const satisfies JSONSchema

const RULE_PARAMS = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'string', description: 'The ID of a rule.', examples: ['CRE-2026-10001'] } },
} as const satisfies JSONSchema

export type RuleParams = FromSchema<typeof RULE_PARAMS>

const PROBLEMS: readonly ProblemCode[] = [
  'not_found',
  'method_not_allowed',
  'invalid_token',
  'token_expired',
  'rate_limited',
  'unavailable',
  'internal',
]

/** Everybody may read the catalogue; a requester with a session or token also sees the organization's own rules. */
const OPTIONAL = [{}, { session: [] }, { accessToken: [] }, { releaseToken: [] }]

/** `GET /v1/catalogue` */
export const LIST_RULES = {
  schema: {
    operationId: 'listRules',
    tags: ['releases'],
    summary: 'The rules of the newest packages',
    security: OPTIONAL,
    response: { 200: { $ref: `${RULE_CATALOGUE.$id}#` } },
  },
  problems: PROBLEMS,
} as const

/** `GET /v1/catalogue/<id>` */
export const READ_RULE = {
  schema: {
    operationId: 'readRule',
    tags: ['releases'],
    summary: 'A rule with its document',
    security: OPTIONAL,
    params: RULE_PARAMS,
    response: { 200: { $ref: `${CATALOGUE_RULE.$id}#` } },
  },
  problems: PROBLEMS,
} as const
