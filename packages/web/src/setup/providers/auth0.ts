import type { ProviderGuide } from './guide.js'

export const auth0: ProviderGuide = {
  id: 'auth0',
  name: 'Auth0',
  console: { name: 'Auth0 Dashboard', url: 'https://manage.auth0.com/' },
  wellKnownUrlHint: 'You find the domain in the Settings of any application. Use your custom domain if you have one.',
  placeholders: [
    {
      name: 'domain',
      label: 'Auth0 domain',
      hint: 'Include the region if there is one.',
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
        {
          label: 'Grants',
          value: { choose: ['Authorization Code', 'Refresh Token'] },
          note: 'Then select Save Changes.',
        },
      ],
    },
    {
      path: ['Connections'],
      settings: [
        {
          label: 'Connections of this application',
          value: { choose: ['Only those of your own users'] },
          note: 'This decides who may use Omen. Switch off public sign-up and social logins. Auth0 has no application icons for users.',
        },
      ],
    },
  ],
  credentials: { path: ['Settings', 'Basic Information'], note: 'You find both there.' },
}
