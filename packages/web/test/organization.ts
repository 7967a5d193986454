import type {
  ApiToken,
  CatalogueRule,
  CurrentConnection,
  Domain,
  LatestReleases,
  Member,
  NextConnection,
  Role,
  Session,
} from '@omen/server/api'

/** An organization with the data of the API, which requests and tests can change. */
export interface TestOrganization {
  role: Role
  rules: readonly CatalogueRule[]
  sessions: readonly Session[]
  members: readonly Member[]
  domains: readonly Domain[]
  tokens: readonly ApiToken[]
  next: NextConnection | null
  tool: LatestReleases['tool']
}

const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info'] as const

/** A rule of the catalogue, derived from a number. */
export function ruleOf(number: number, more: Partial<CatalogueRule> = {}): CatalogueRule {
  const id = `CRE-2026-${10000 + number}`
  const severity = number % 5
  return {
    id,
    title: `Problem number ${number} of a thing`,
    severity,
    severity_label: SEVERITIES[severity]!,
    category: number % 2 === 0 ? 'database-problem' : 'queue-problem',
    tags: [number % 2 === 0 ? 'postgresql' : 'kafka', 'capacity'],
    applications: [number % 2 === 0 ? 'PostgreSQL' : 'Apache Kafka'],
    cause: 'Something is **full**.',
    package: 'community',
    description: 'What was seen.',
    impact: 'Requests fail.',
    mitigation: '- Look: `df -h`\n- Make room',
    references: ['https://docs.example.com/full'],
    version: '1.4.0',
    yaml: `rules:\n  - cre:\n      id: ${id}\n`,
    ...more,
  }
}

/** A rule that tries everything that a rule must not be able to do. */
const HOSTILE = ruleOf(66, {
  id: 'ACME-0066',
  title: '<img src=x onerror=alert(1)> in a title',
  severity: 0,
  severity_label: 'critical',
  package: 'private',
  version: '2.0.0',
  mitigation:
    'Press <button onclick="alert(1)">here</button>, or [here](javascript:alert(1)), or [there](https://docs.example.com/).',
  references: ['javascript:alert(1)', 'https://docs.example.com/a?b=<c>'],
})

const AT = '2026-12-01T08:00:00.000Z'

/** The name is the address when the identity provider sends no name. */
const BOB = 'bob-with-a-rather-long-name@acme.com'

export function makeOrganization(): TestOrganization {
  const member = { role: 'administrator', created_at: AT, signed_in_at: AT, sessions: 2, you: true } as const
  return {
    role: 'administrator',
    rules: [...Array.from({ length: 120 }, (_, at) => ruleOf(at + 1)), HOSTILE],
    sessions: (
      [
        {
          kind: 'browser',
          agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
          current: true,
        },
        { kind: 'tool', agent: 'omen/0.3.0 (linux x64)', current: false },
        {
          kind: 'browser',
          agent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19 Safari/604.1',
          current: false,
        },
      ] as const
    ).map((session, at) => ({
      id: `session-${at}`,
      address: `203.0.113.${at}`,
      created_at: AT,
      last_seen_at: '2026-12-01T09:30:00.000Z',
      expires_at: '2026-12-08T08:00:00.000Z',
      ...session,
    })),
    members: [
      { id: 'alice', email: 'alice@acme.com', name: 'Alice', ...member },
      { id: 'bob', email: BOB, name: BOB, ...member, role: 'member', you: false },
    ],
    domains: [
      { ...pendingDomain('acme.com'), status: 'verified', primary: true, verified_at: AT },
      pendingDomain('acme.org'),
    ],
    tokens: [
      {
        id: 'token-1',
        name: 'nightly',
        scopes: ['rules:read', 'rules:publish'],
        created_at: AT,
        created_by: 'alice@acme.com',
        expires_at: '2027-03-01T00:00:00.000Z',
        last_used_at: null,
      },
    ],
    next: null,
    tool: {
      version: '0.3.0',
      notes: '',
      files: ['linux-x64', 'darwin-arm64'].map((platform) => ({
        platform,
        size: 1,
        sha256: '9f'.repeat(32),
        url: `https://omen.example/v1/tool/omen-0.3.0-${platform}`,
        sig_url: 'https://omen.example/sig',
      })),
    },
  }
}

export function pendingDomain(domain: string): Domain {
  const record = {
    type: 'TXT',
    name: `_omen.${domain}`,
    value: 'omen-domain=4fVkQQwWpcoZ7TjEXgJ3NN8sQeUMxBcR',
  } as const
  return { domain, status: 'pending', primary: false, added_at: AT, verified_at: null, record }
}

export const CURRENT: CurrentConnection = {
  issuer: 'https://acme.okta.com',
  well_known_url: 'https://acme.okta.com/.well-known/openid-configuration',
  client_id: '0oa1b2c3d4e5f6g7h8',
  auth_method: 'client_secret_basic',
  redirect_uri: 'https://omen.example/v1/auth/callback/5b0e6a52-7f0c-4c1d-9a0e-1f2d3c4b5a69',
  initiate_login_uri: 'https://omen.example/v1/auth/login',
  backchannel_logout_uri: 'https://omen.example/v1/auth/backchannel/5b0e6a52-7f0c-4c1d-9a0e-1f2d3c4b5a69',
  connected_at: AT,
}

export const NEXT: NextConnection = {
  id: 'next-1',
  issuer: CURRENT.issuer,
  well_known_url: CURRENT.well_known_url,
  client_id: CURRENT.client_id,
  redirect_uri: CURRENT.redirect_uri,
  status: 'untested',
  detail: null,
  tested_as: null,
  created_at: AT,
  expires_at: '2026-12-03T08:00:00.000Z',
}
