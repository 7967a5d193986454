import type { ProviderGuide } from './guide.js'

export const keycloak: ProviderGuide = {
  id: 'keycloak',
  name: 'Keycloak',
  console: { name: 'Keycloak Admin Console' },
  wellKnownUrlHint:
    'To open the configuration, select Realm settings → General → Endpoints → OpenID Endpoint Configuration.',
  placeholders: [
    {
      name: 'server',
      label: 'Keycloak URL',
      hint: 'The part before “/realms”. Old installations have “/auth” at its end.',
      example: 'https://sso.acme.com',
      kind: 'url',
    },
    {
      name: 'realm',
      label: 'Realm',
      hint: 'The name of the realm as it appears in the URL. Case matters.',
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
        { label: 'Client ID', value: { copy: 'client-name' }, note: 'You choose it. Step 4 asks for it.' },
        { label: 'Name', value: { copy: 'app-name' } },
        { label: 'Always display in UI', value: { choose: ['On'] }, note: 'Shows Omen in the Account Console.' },
      ],
    },
    {
      path: ['Next', 'Capability config'],
      settings: [
        { label: 'Client authentication', value: { choose: ['On'] }, note: 'Without it, there is no secret.' },
        {
          label: 'Authentication flow',
          value: { choose: ['Standard flow'] },
          note: 'This is the authorization code grant. Leave the others off. Refresh tokens are on by default.',
        },
      ],
    },
    {
      path: ['Next', 'Login settings'],
      settings: [
        { label: 'Home URL', value: { copy: 'login-uri' }, note: 'Keycloak’s name for the initiate login URI.' },
        { label: 'Valid redirect URIs', value: { copy: 'sign-in-uri' }, note: 'Exactly this URI, without a wildcard.' },
      ],
    },
    {
      path: ['Save', 'Client scopes'],
      settings: [
        {
          label: 'Assigned client scopes',
          value: { choose: ['email', 'profile', 'offline_access'] },
          note: 'They are assigned by default.',
        },
        {
          label: 'Who may use Omen',
          value: { choose: ['Everyone in the realm'] },
          note: 'Keycloak has no assignments. To limit access, use an authentication flow with a role condition for this client.',
        },
      ],
    },
  ],
  credentials: {
    path: ['Clients', 'omen', 'Credentials'],
    note: 'The Client Authenticator is “Client Id and Secret”. The Client ID is the one that you chose.',
  },
}
