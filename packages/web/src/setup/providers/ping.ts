import { type ProviderGuide, UUID } from './guide.js'

export const ping: ProviderGuide = {
  id: 'ping',
  name: 'Ping Identity',
  console: { name: 'PingOne admin console' },
  finding:
    'The environment ID stands under Settings → Environment Properties. For PingFederate, paste its own address below: it ends with /.well-known/openid-configuration.',
  blanks: [
    {
      name: 'environment',
      label: 'Environment ID',
      hint: 'Of the environment that holds your people.',
      example: '6f1b7a2e-0c54-4d3b-9a8e-2f7d1c5b9e03',
      kind: 'uuid',
    },
    {
      name: 'region',
      label: 'Region',
      hint: 'The ending of the address of your console.',
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
          note: 'With it, the icon appears in the application portal.',
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
          value: { choose: ['The groups of those who may use Omen'] },
          note: 'Then switch the application on, with the toggle at its top right.',
        },
      ],
    },
  ],
  credentials: { path: ['Configuration'], note: 'Client ID and Client Secret stand there.' },
  clientId: { pattern: UUID, message: 'A client ID of PingOne looks like 6f1b7a2e-0c54-4d3b-9a8e-2f7d1c5b9e03.' },
}
