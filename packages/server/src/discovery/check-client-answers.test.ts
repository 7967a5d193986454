import { describe, expect, test } from 'vitest'
import { CLIENT, CLIENT_ERROR, check, type TokenEndpointResponse } from '../../test/discovery/token-endpoint.js'

/** Responses of identity providers, as known from their documentation and from reports of their users. */
describe('responses of identity providers to a valid client', () => {
  test.each<[string, TokenEndpointResponse]>([
    ['Okta', [400, { error: 'invalid_grant', error_description: 'The authorization code is invalid or has expired.' }]],
    [
      'Entra ID',
      [400, { error: 'invalid_grant', error_description: 'AADSTS9002313: Invalid request.', error_codes: [9002313] }],
    ],
    ['Google', [400, { error: 'invalid_grant', error_description: 'Malformed auth code.' }]],
    ['Keycloak', [400, { error: 'invalid_grant', error_description: 'Code not valid' }]],
    ['Auth0', [403, { error: 'invalid_grant', error_description: 'Invalid authorization code' }]],
    ['Ping', [400, { error: 'invalid_grant', error_description: 'Authorization code is invalid or expired.' }]],
    ['OneLogin', [400, { error: 'invalid_grant', error_description: 'grant request is invalid' }]],
    ['JumpCloud', [400, { error: 'invalid_grant', error_description: 'The provided authorization grant is invalid.' }]],
    ['a provider that responds with 401', [401, { error: 'invalid_grant' }]],
    ['a provider that responds with 200', [200, { error: 'invalid_grant' }]],
  ])('%s', async (_, response) => {
    expect((await check([response])).method).toBe('client_secret_basic')
  })
})

describe('responses of identity providers to an invalid client', () => {
  const COPY =
    'Copy the client ID and the client secret again from the same application at the identity provider, complete and without spaces'
  const BOTH_FIELDS = ['client_id', 'client_secret']
  const SECRET =
    'The client secret is wrong or was replaced. Copy the current secret from the application at the identity provider.'
  const UNKNOWN =
    'There is no application with this client ID. Copy the client ID from the application at the identity provider, and check that the well-known URL belongs to the same identity provider.'

  test.each<[string, TokenEndpointResponse, string, string, readonly string[]]>([
    [
      'Okta, secret',
      [
        401,
        {
          error: 'invalid_client',
          error_description: 'The client secret supplied for a confidential client is invalid.',
        },
      ],
      '"invalid_client" (status 401)',
      SECRET,
      ['client_secret'],
    ],
    [
      'Okta, id',
      [401, { errorCode: 'invalid_client', errorSummary: "Invalid value for 'client_id' parameter." }],
      '"invalid_client" (status 401)',
      UNKNOWN,
      ['client_id'],
    ],
    [
      'Entra ID, secret',
      [401, { error: 'invalid_client', error_description: 'AADSTS7000215: Invalid client secret provided.' }],
      '"invalid_client" (status 401)',
      'Entra ID does not know this secret. Send the Value of the client secret, not its Secret ID. The value is shown only once; if it is lost, create a new secret.',
      ['client_secret'],
    ],
    [
      'Entra ID, old secret',
      [
        401,
        { error: 'invalid_client', error_description: 'AADSTS7000222: The provided client secret keys are expired.' },
      ],
      '"invalid_client" (status 401)',
      'The client secret has expired in Entra ID. Create a new secret and send its Value.',
      ['client_secret'],
    ],
    [
      'Entra ID, id',
      [
        400,
        {
          error: 'unauthorized_client',
          error_description: 'AADSTS700016: Application was not found in the directory.',
        },
      ],
      '"unauthorized_client" (status 400)',
      'Entra ID has no application with this ID in the tenant of the well-known URL. Send the Application (client) ID, not the Object ID, and check the tenant.',
      ['client_id'],
    ],
    [
      'Google, secret',
      [401, { error: 'invalid_client', error_description: 'Unauthorized' }],
      '"invalid_client" (status 401)',
      `${COPY}.`,
      BOTH_FIELDS,
    ],
    [
      'Google, id',
      [401, { error: 'invalid_client', error_description: 'The OAuth client was not found.' }],
      '"invalid_client" (status 401)',
      UNKNOWN,
      ['client_id'],
    ],
    [
      'Keycloak',
      [401, { error: 'unauthorized_client', error_description: 'Invalid client or Invalid client credentials' }],
      '"unauthorized_client" (status 401)',
      `${COPY}, and check that the authorization code grant is allowed.`,
      BOTH_FIELDS,
    ],
    [
      'Keycloak, id',
      [400, { error: 'invalid_client', error_description: 'Invalid client credentials' }],
      '"invalid_client" (status 400)',
      `${COPY}.`,
      BOTH_FIELDS,
    ],
    [
      'Auth0',
      [401, { error: 'access_denied', error_description: 'Unauthorized' }],
      '"access_denied" (status 401)',
      `${COPY}.`,
      BOTH_FIELDS,
    ],
    ['Auth0, in plain text', [401, 'Unauthorized'], 'status 401', `${COPY}.`, BOTH_FIELDS],
    [
      'Auth0, grant',
      [
        403,
        {
          error: 'unauthorized_client',
          error_description: "Grant type 'authorization_code' not allowed for the client.",
        },
      ],
      '"unauthorized_client" (status 403)',
      'Allow the authorization code grant (and refresh tokens) in the application at the identity provider.',
      ['client_id'],
    ],
    [
      'Ping',
      [401, { error: 'invalid_client', error_description: 'Invalid client or client credentials.' }],
      '"invalid_client" (status 401)',
      `${COPY}.`,
      BOTH_FIELDS,
    ],
    [
      'OneLogin',
      [401, { error: 'invalid_client', error_description: 'client authentication failed' }],
      '"invalid_client" (status 401)',
      `${COPY}.`,
      BOTH_FIELDS,
    ],
    [
      'JumpCloud',
      [
        401,
        {
          error: 'invalid_client',
          error_description:
            'Client authentication failed (e.g., unknown client, no client authentication included, or unsupported authentication method).',
        },
      ],
      '"invalid_client" (status 401)',
      `${COPY}.`,
      BOTH_FIELDS,
    ],
  ])('%s', async (_, response, reported, advice, fields) => {
    const { problem, requests } = await check([response, response])
    expect(problem?.code).toBe('client_rejected')
    expect(problem?.message).toBe(`The identity provider returned ${reported}. ${advice}`)
    expect(problem?.errors).toEqual(fields.map((field) => ({ field, message: advice })))
    expect(requests).toHaveLength(2)
  })

  test.each([
    ['client_secret', { ...CLIENT, clientSecret: 'x ' }, 'It ends with a space.'],
    ['client_secret', { ...CLIENT, clientSecret: '\tx' }, 'It starts with a space.'],
    ['client_id', { ...CLIENT, clientId: 'x\n' }, 'It ends with a space.'],
    ['client_id', { ...CLIENT, clientId: '"x"' }, 'It is in quotes or brackets.'],
    ['client_id', { ...CLIENT, clientId: '<x>' }, 'It is in quotes or brackets.'],
    [
      'client_secret',
      { ...CLIENT, clientSecret: 'x\u200b' },
      'It contains a character that credentials never contain.',
    ],
  ])('a typo in %s is reported first', async (field, client, message) => {
    const { problem } = await check([CLIENT_ERROR, CLIENT_ERROR], { client })
    expect(problem?.message).toBe(
      `The identity provider returned "invalid_client" (status 401). ${COPY}. ${field}: ${message}`,
    )
    expect(problem?.errors?.[0]).toEqual({ field, message })
  })

  test('a rejection with one method decides, whatever the other returns', async () => {
    const odd: TokenEndpointResponse = [400, { error: 'invalid_request' }]
    expect((await check([CLIENT_ERROR, odd])).problem?.code).toBe('client_rejected')
    expect((await check([odd, CLIENT_ERROR])).problem?.code).toBe('client_rejected')
  })
})
