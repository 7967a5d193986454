import type { ProviderGuide } from './guide.js'

export const auth0: ProviderGuide = {
  id: 'auth0',
  name: 'Auth0',
  console: { name: 'Auth0 Dashboard', url: 'https://manage.auth0.com/' },
  finding: 'The domain stands in the Settings of any application. Use your custom domain if you have one.',
  blanks: [
    {
      name: 'domain',
      label: 'Auth0 domain',
      hint: 'With its region, if it has one.',
      example: 'acme.eu.auth0.com',
      kind: 'host',
    },
  ],
  template: 'https://{domain}/.well-known/openid-configuration',
  screens: [
    {
      path: ['Applications', 'Applications', 'Create Application'],
      settings: [
        { label: 'Name', value: { copy: 'app-name' } },
        { label: 'Application type', value: { choose: ['Regular Web Applications'] } },
      ],
    },
    {
      path: ['Settings', 'Application URIs'],
      settings: [
        {
          label: 'Application Login URI',
          value: { copy: 'login-uri' },
          note: 'Auth0’s name for the initiate login URI.',
        },
        { label: 'Allowed Callback URLs', value: { copy: 'sign-in-uri' } },
      ],
    },
    {
      path: ['Settings', 'Advanced Settings', 'Grant Types'],
      settings: [
        { label: 'Grants', value: { choose: ['Authorization Code', 'Refresh Token'] }, note: 'Save Changes.' },
      ],
    },
    {
      path: ['Connections'],
      settings: [
        {
          label: 'Connections of this application',
          value: { choose: ['Only those of your own people'] },
          note: 'Who may use Omen. Switch off public sign-up and social logins. Auth0 shows no icons to users.',
        },
      ],
    },
  ],
  credentials: { path: ['Settings', 'Basic Information'], note: 'Client ID and Client Secret stand there.' },
}
