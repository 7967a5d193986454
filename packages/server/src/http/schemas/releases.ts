import type { JSONSchema } from 'json-schema-to-ts'

const HASH = '9f2c4e6a8b0d1f3a5c7e9b1d3f5a7c9e0b2d4f6a8c0e1b3d5f7a9c1e3b5d7f90'
const FILE = `omen-public-cre-rules.1.4.0.${HASH.slice(0, 12)}.yaml.gz`
const PRIVATE_FILE = `omen-private-cre-rules.2.0.0.${HASH.slice(0, 12)}.yaml.gz`
const BASE = 'https://omen.example.com/v1'

const PACKAGE_EXAMPLE = {
  version: '1.4.0',
  file: FILE,
  size: 81_234,
  sha256: HASH,
  url: `${BASE}/rules/${FILE}`,
  sha256_url: `${BASE}/rules/${FILE}.sha256`,
  sig_url: `${BASE}/rules/${FILE}.sig`,
  notes: 'Five rules for Kafka.',
} as const

const PACKAGE_PROPERTIES = {
  version: { type: 'string', description: 'A semantic version.' },
  file: { type: 'string', description: 'The name of the file. It contains the beginning of the SHA-256.' },
  size: { type: 'integer', description: 'In bytes.' },
  sha256: { type: 'string', description: 'The SHA-256 of the file, in hexadecimal.' },
  url: { type: 'string', description: 'The address of the file.' },
  sha256_url: { type: 'string', description: 'The address of the hash, in the format of `sha256sum -c`.' },
  sig_url: {
    type: 'string',
    description: 'The address of the signature of the file: ECDSA P-256 over SHA-256, in DER.',
  },
  notes: { type: 'string', description: 'What is new, in one line; may be empty.' },
} as const

const PACKAGE_FIELDS = ['version', 'file', 'size', 'sha256', 'url', 'sha256_url', 'sig_url', 'notes'] as const

const PACKAGE = {
  type: 'object',
  required: PACKAGE_FIELDS,
  additionalProperties: false,
  properties: PACKAGE_PROPERTIES,
} as const

/** The response of `PUT /v1/rules/<file>`. */
export const PUBLISHED_PACKAGE = {
  $id: 'PublishedPackage',
  ...PACKAGE,
  description: 'The package as it is announced to tokens of the organization.',
  examples: [
    {
      ...PACKAGE_EXAMPLE,
      version: '2.0.0',
      file: PRIVATE_FILE,
      url: `${BASE}/rules/${PRIVATE_FILE}`,
      sha256_url: `${BASE}/rules/${PRIVATE_FILE}.sha256`,
      sig_url: `${BASE}/rules/${PRIVATE_FILE}.sig`,
    },
  ],
} as const satisfies JSONSchema

/** The response of `GET /v1/rules/latest`. */
export const LATEST_RELEASES = {
  $id: 'LatestReleases',
  type: 'object',
  description: 'The newest release of each kind. A kind without a release is absent.',
  additionalProperties: false,
  properties: {
    rules: { ...PACKAGE, description: 'The community rules.' },
    tool: {
      type: 'object',
      description: 'The tool, as single-file executables.',
      required: ['version', 'files', 'notes'],
      additionalProperties: false,
      properties: {
        version: PACKAGE_PROPERTIES.version,
        files: {
          type: 'array',
          items: {
            type: 'object',
            required: ['platform', 'size', 'sha256', 'url', 'sig_url'],
            additionalProperties: false,
            properties: {
              platform: { type: 'string', description: 'The platform as Node.js names it, such as `linux-x64`.' },
              size: PACKAGE_PROPERTIES.size,
              sha256: PACKAGE_PROPERTIES.sha256,
              url: PACKAGE_PROPERTIES.url,
              sig_url: PACKAGE_PROPERTIES.sig_url,
            },
          },
        },
        notes: PACKAGE_PROPERTIES.notes,
      },
    },
    private: { ...PACKAGE, description: 'The private rules of the organization of the token.' },
  },
  examples: [
    {
      rules: PACKAGE_EXAMPLE,
      tool: {
        version: '0.3.0',
        files: [
          {
            platform: 'linux-x64',
            size: 118_000_000,
            sha256: HASH,
            url: `${BASE}/tool/omen-0.3.0-linux-x64`,
            sig_url: `${BASE}/tool/omen-0.3.0-linux-x64.sig`,
          },
        ],
        notes: 'Reads journald exports.',
      },
    },
  ],
} as const satisfies JSONSchema

/** The response of `GET /v1/rules`. */
export const RELEASE_HISTORY = {
  $id: 'ReleaseHistory',
  type: 'object',
  description: 'The available rule packages, the latest first.',
  required: ['releases'],
  additionalProperties: false,
  properties: {
    releases: {
      type: 'array',
      description: 'The packages, each with its channel and its time of publication.',
      items: {
        type: 'object',
        required: [...PACKAGE_FIELDS, 'channel', 'published_at'],
        additionalProperties: false,
        properties: {
          ...PACKAGE_PROPERTIES,
          channel: { type: 'string', enum: ['public', 'private'] },
          published_at: { type: 'string', description: 'RFC 3339.' },
        },
      },
    },
    next: { type: 'string', description: 'The address of the next page; absent on the last page.' },
  },
  examples: [{ releases: [{ ...PACKAGE_EXAMPLE, channel: 'public', published_at: '2026-12-01T10:00:00.000Z' }] }],
} as const satisfies JSONSchema

/** The response of `GET /v1/rules/keys`. */
export const RELEASE_KEYS = {
  $id: 'ReleaseKeys',
  type: 'object',
  description: 'The public keys that sign releases now; several during a key rotation.',
  required: ['keys'],
  additionalProperties: false,
  properties: {
    keys: {
      type: 'array',
      description: 'The keys of the operator; with a token, also those of its organization.',
      items: {
        type: 'object',
        required: ['id', 'pem', 'fingerprint'],
        additionalProperties: false,
        properties: {
          id: { type: 'string', description: 'The first 16 hexadecimal digits of the SHA-256 of the key (DER, SPKI).' },
          pem: { type: 'string' },
          fingerprint: { type: 'string', description: '`SHA256:` and the same hash in base64, without padding.' },
        },
      },
    },
  },
  examples: [
    {
      keys: [
        {
          id: '8e1f0a2b3c4d5e6f',
          pem: '-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE…\n-----END PUBLIC KEY-----\n',
          fingerprint: 'SHA256:jh8KKzxNXm8QERITFBUWFxgZGhscHR4fICEiIyQlJic',
        },
      ],
    },
  ],
} as const satisfies JSONSchema

export const RELEASE_MESSAGES = [LATEST_RELEASES, RELEASE_HISTORY, RELEASE_KEYS, PUBLISHED_PACKAGE] as const
