import type { ProblemCode } from '../../problem.js'
import { LATEST_RELEASES, PUBLISHED_PACKAGE, RELEASE_HISTORY, RELEASE_KEYS } from './releases.js'
import { ref } from './schema.js'

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

/** A token is optional. */
const OPTIONAL_TOKEN = [{}, { releaseToken: [] }]

const FILE_PARAMETER = {
  type: 'object',
  required: ['file'],
  properties: {
    file: {
      type: 'string',
      description: 'The name of a file, or that name followed by `.sha256` or `.sig`.',
      examples: ['omen-public-cre-rules.1.4.0.9f2c4e6a8b0d.yaml.gz'],
    },
  },
} as const

/** The response is a file, without fields to describe. */
const BYTES = { type: 'null', description: 'The bytes of the file; 206 with `Range`.' } as const

const DOWNLOAD =
  'Supports `Range` (one range), `If-Range` and `If-None-Match`. A file never changes under its name, so it may be cached forever.'

/** `GET /v1/rules/latest` */
export const LATEST = {
  schema: {
    operationId: 'latestReleases',
    tags: ['releases'],
    summary: 'The newest releases',
    description:
      'With a token of an organization that has published private rules, `private` announces those. Send `If-None-Match` with ' +
      'the `ETag` of the last response: 304 means that nothing is new.',
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
    summary: 'The published rule packages',
    security: OPTIONAL_TOKEN,
    querystring: {
      type: 'object',
      properties: {
        limit: { type: 'string', description: 'The number of packages: 1 to 100, 20 by default.', examples: ['20'] },
        before: { type: 'string', description: 'The value in `next` of the previous page.', examples: ['42'] },
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
    summary: 'A rule package, its hash or its signature',
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
    summary: 'Publish a private rule package',
    description:
      'Needs a token with the scope `rules:publish`. The body is the package that `omen-server rules pack --private` writes, at most ' +
      '16 MiB: with curl, `--upload-file <package>`. The header `Omen-Signature` contains its signature in base64: with curl, ' +
      '`-H "Omen-Signature: $(base64 -w0 <package>.sig)"`. The same package again changes nothing, and returns 200.',
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
