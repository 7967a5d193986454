import type { ProviderGuide } from './guide.js'

export const keycloak: ProviderGuide = {
  id: 'keycloak',
  name: 'Keycloak',
  console: { name: 'Keycloak Admin Console' },
  finding: 'Realm settings → General → Endpoints → OpenID Endpoint Configuration opens the document itself.',
  blanks: [
    {
      name: 'server',
      label: 'Address of Keycloak',
      hint: 'Up to where “/realms” begins. Old installations have “/auth” there.',
      example: 'https://sso.acme.com',
      kind: 'address',
    },
    {
      name: 'realm',
      label: 'Realm',
      hint: 'Its name, as in the address, in the same case.',
      example: 'acme',
      kind: 'segment',
    },
  ],
  template: '{server}/realms/{realm}/.well-known/openid-configuration',
  screens: [
    {
      path: ['Clients', 'Create client', 'General settings'],
      settings: [
        { label: 'Client type', value: { choose: ['OpenID Connect'] } },
        { label: 'Client ID', value: { copy: 'client-name' }, note: 'You choose it; step 4 asks for it.' },
        { label: 'Name', value: { copy: 'app-name' } },
        { label: 'Always display in UI', value: { choose: ['On'] }, note: 'Shows Omen in the Account Console.' },
      ],
    },
    {
      path: ['Next', 'Capability config'],
      settings: [
        { label: 'Client authentication', value: { choose: ['On'] }, note: 'Without it there is no secret.' },
        {
          label: 'Authentication flow',
          value: { choose: ['Standard flow'] },
          note: 'That is the authorization code grant; the others stay off. Refresh tokens are on by default.',
        },
      ],
    },
    {
      path: ['Next', 'Login settings'],
      settings: [
        { label: 'Home URL', value: { copy: 'login-uri' }, note: 'Keycloak’s name for the initiate login URI.' },
        { label: 'Valid redirect URIs', value: { copy: 'sign-in-uri' }, note: 'Exactly this, without an asterisk.' },
      ],
    },
    {
      path: ['Save', 'Client scopes'],
      settings: [
        {
          label: 'Assigned client scopes',
          value: { choose: ['email', 'profile', 'offline_access'] },
          note: 'They are there unless somebody took them away.',
        },
        {
          label: 'Who may use Omen',
          value: { choose: ['Everybody in the realm'] },
          note: 'Keycloak has no assignments. An authentication flow of the client with a role condition limits it.',
        },
      ],
    },
  ],
  credentials: {
    path: ['Clients', 'omen', 'Credentials'],
    note: 'The Client Authenticator is “Client Id and Secret”. The Client ID is the one that you chose.',
  },
}
