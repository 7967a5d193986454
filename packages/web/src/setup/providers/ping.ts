import { type ProviderGuide, UUID } from './guide.js'

export const ping: ProviderGuide = {
  id: 'ping',
  name: 'Ping Identity',
  console: { name: 'PingOne admin console' },
  wellKnownUrlHint:
    'You find the environment ID under Settings → Environment Properties. For PingFederate, paste its own URL below. It ends with /.well-known/openid-configuration.',
  placeholders: [
    {
      name: 'environment',
      label: 'Environment ID',
      hint: 'The ID of the environment that contains your users.',
      example: '6f1b7a2e-0c54-4d3b-9a8e-2f7d1c5b9e03',
      kind: 'uuid',
    },
    {
      name: 'region',
      label: 'Region',
      hint: 'The end of your console’s domain.',
      kind: 'choice',
      options: [
        { value: 'com', label: 'North America (.com)' },
        { value: 'ca', label: 'Canada (.ca)' },
        { value: 'eu', label: 'Europe (.eu)' },
        { value: 'com.au', label: 'Australia (.com.au)' },
        { value: 'sg', label: 'Singapore (.sg)' },
        { value: 'asia', label: 'Asia Pacific (.asia)' },
      ],
    },
  ],
  template: 'https://auth.pingone.{region}/{environment}/as/.well-known/openid-configuration',
  screens: [
    {
      path: ['Applications', 'Applications', '+'],
      settings: [
        { label: 'Application Name', value: { copy: 'app-name' } },
        { label: 'Application Type', value: { choose: ['OIDC Web App'] } },
      ],
    },
    {
      path: ['Save', 'Configuration', 'Pencil icon'],
      settings: [
        { label: 'Response Type', value: { choose: ['Code'] } },
        { label: 'Grant Type', value: { choose: ['Authorization Code', 'Refresh Token'] } },
        { label: 'Redirect URIs', value: { copy: 'sign-in-uri' } },
        {
          label: 'Token Endpoint Authentication Method',
          value: { choose: ['Client Secret Basic', 'or Client Secret Post'] },
        },
        {
          label: 'Initiate Login URI',
          value: { copy: 'login-uri' },
          note: 'With this URI, the icon appears in the application portal.',
        },
      ],
    },
    {
      path: ['Resources'],
      settings: [{ label: 'Scopes', value: { choose: ['openid', 'email', 'profile'] } }],
    },
    {
      path: ['Access'],
      settings: [
        {
          label: 'Groups',
          value: { choose: ['The groups that may use Omen'] },
          note: 'Then switch the application on with the toggle at its top right.',
        },
      ],
    },
  ],
  credentials: { path: ['Configuration'], note: 'You find both there.' },
  clientId: { pattern: UUID, message: 'A PingOne client ID looks like 6f1b7a2e-0c54-4d3b-9a8e-2f7d1c5b9e03.' },
}
