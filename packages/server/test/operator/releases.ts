import type { ReleaseOperations, ReleaseRecord, TokenRecord } from '../../src/operator/release-operations.js'

type Remember = <T>(name: string, argument: unknown, result: T) => Promise<T>

const RELEASE: ReleaseRecord = {
  kind: 'rules',
  version: '1.4.0',
  state: 'published',
  publishedAt: '2026-02-01T10:00:00.000Z',
  notes: 'Five rules.',
  files: [{ name: 'omen-public-cre-rules.1.4.0.9f2c4e6a8b0d.yaml.gz', size: 7, sha256: 'ab', key: '8e1f0a2b3c4d5e6f' }],
}

const KEY = {
  id: '8e1f0a2b3c4d5e6f',
  fingerprint: 'SHA256:abc',
  state: 'current',
  addedAt: '2026-02-01T10:00:00.000Z',
} as const

const TOKEN: TokenRecord = {
  id: 't1',
  org: 'Acme',
  name: 'ci',
  scopes: ['rules:read'],
  state: 'active',
  issuedAt: '2026-02-01T10:00:00.000Z',
}

/** The operations of releases, with fixed results, that record their calls. */
export function tableReleases(remember: Remember): ReleaseOperations {
  return {
    beginUpload: () => remember('beginUpload', undefined, { upload: 'u1' }),
    addChunk: (request) => remember('addChunk', request, null),
    publishRules: (request) => remember('publishRules', request, { ...RELEASE, outcome: 'published' }),
    publishTool: (request) => remember('publishTool', request, { ...RELEASE, kind: 'tool', outcome: 'published' }),
    listReleases: (request) => remember('listReleases', request, [RELEASE]),
    withdrawRelease: (request) => remember('withdrawRelease', request, { ...RELEASE, state: 'withdrawn' }),
    addReleaseKey: (request) => remember('addReleaseKey', request, KEY),
    listReleaseKeys: () => remember('listReleaseKeys', undefined, [KEY]),
    retireReleaseKey: (id) => remember('retireReleaseKey', id, { ...KEY, state: 'retired', files: 2 }),
    issueToken: (request) => remember('issueToken', request, { ...TOKEN, token: 'omen_abc' }),
    listTokens: () => remember('listTokens', undefined, [TOKEN]),
    revokeToken: (token) => remember('revokeToken', token, { ...TOKEN, state: 'revoked' }),
  }
}
