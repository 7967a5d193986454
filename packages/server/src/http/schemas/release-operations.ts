import type { ProblemCode } from '../../problem.js'
import { LATEST_RELEASES, PUBLISHED_PACKAGE, RELEASE_HISTORY, RELEASE_KEYS } from './releases.js'

const ALWAYS: readonly ProblemCode[] = [
  'bad_request',
  'not_found',
  'method_not_allowed',
  'invalid_token',
  'token_expired',
  'rate_limited',
  'unavailable',
  'internal',
]

function ref({ $id }: { readonly $id: string }): { readonly $ref: string } {
  return { $ref: `${$id}#` }
}

/** A token can be shown, and need not be. */
const OPTIONAL_TOKEN = [{}, { releaseToken: [] }]

const FILE_PARAMETER = {
  type: 'object',
  required: ['file'],
  properties: {
    file: {
      type: 'string',
      description: 'The name of a file, or the same with `.sha256` or `.sig` behind it.',
      examples: ['omen-public-cre-rules.1.4.0.9f2c4e6a8b0d.yaml.gz'],
    },
  },
} as const

/** What is sent as it is, and has no fields to describe. */
const BYTES = { type: 'null', description: 'The bytes of the file; 206 with `Range`.' } as const

const DOWNLOAD =
  'Takes `Range` (one range), `If-Range` and `If-None-Match`. A file never changes under its name, so it may be kept for ever.'

/** `GET /v1/rules/latest` */
export const LATEST = {
  schema: {
    operationId: 'latestReleases',
    tags: ['releases'],
    summary: 'What is newest',
    description:
      'With a token of an organization that has published rules of its own, `private` announces those. Send `If-None-Match` with ' +
      'the `ETag` of the last answer: 304 says that nothing is new.',
    security: OPTIONAL_TOKEN,
    response: { 200: ref(LATEST_RELEASES) },
  },
  problems: ALWAYS,
} as const

/** `GET /v1/rules` */
export const HISTORY = {
  schema: {
    operationId: 'releaseHistory',
    tags: ['releases'],
    summary: 'What was published so far',
    security: OPTIONAL_TOKEN,
    querystring: {
      type: 'object',
      properties: {
        limit: { type: 'string', description: 'How many at most: 1 to 100, 20 without it.', examples: ['20'] },
        before: { type: 'string', description: 'As it stands in `next`: go on there.', examples: ['42'] },
      },
    },
    response: { 200: ref(RELEASE_HISTORY) },
  },
  problems: ['invalid_request', ...ALWAYS],
} as const

/** `GET /v1/rules/keys` */
export const KEYS = {
  schema: {
    operationId: 'releaseKeys',
    tags: ['releases'],
    summary: 'The keys that sign releases',
    security: OPTIONAL_TOKEN,
    response: { 200: ref(RELEASE_KEYS) },
  },
  problems: ALWAYS,
} as const

/** `GET /v1/rules/<file>` */
export const RULES_FILE = {
  schema: {
    operationId: 'downloadRules',
    tags: ['releases'],
    summary: 'A package of rules, its hash or its signature',
    description: DOWNLOAD,
    security: OPTIONAL_TOKEN,
    params: FILE_PARAMETER,
    response: { 200: BYTES },
  },
  problems: ['unknown_file', 'range_not_satisfiable', ...ALWAYS],
} as const

/** `GET /v1/tool/<file>` */
export const TOOL_FILE = {
  schema: {
    operationId: 'downloadTool',
    tags: ['releases'],
    summary: 'A single-file executable of the tool, its hash or its signature',
    description: DOWNLOAD,
    params: FILE_PARAMETER,
    response: { 200: BYTES },
  },
  problems: ['unknown_file', 'range_not_satisfiable', ...ALWAYS],
} as const

/** `PUT /v1/rules/<file>` */
export const PUBLISH = {
  schema: {
    operationId: 'publishRules',
    tags: ['releases'],
    summary: 'Publish a private package of rules',
    description:
      'For a token with the scope `rules:publish`. The body is the package as `omen-server rules pack --private` makes it, at most ' +
      '16 MiB: with curl, `--upload-file <package>`. Its signature stands in base64 in the header `Omen-Signature`: with curl, ' +
      '`-H "Omen-Signature: $(base64 -w0 <package>.sig)"`. The same package again changes nothing, and answers 200.',
    security: [{ releaseToken: [] }],
    params: FILE_PARAMETER,
    response: { 200: ref(PUBLISHED_PACKAGE), 201: ref(PUBLISHED_PACKAGE) },
  },
  problems: [
    'body_too_large',
    'missing_token',
    'missing_scope',
    'invalid_package',
    'signature_rejected',
    'version_exists',
    'version_outdated',
    ...ALWAYS,
  ],
} as const

/** `GET /v1/rules/schema.json` */
export const RULE_SCHEMA = {
  schema: {
    operationId: 'ruleSchema',
    tags: ['releases'],
    summary: 'The JSON Schema of a rule document, for editors',
    response: { 200: { type: 'null', description: 'A JSON Schema.' } },
  },
  problems: ['unknown_file', ...ALWAYS],
} as const
