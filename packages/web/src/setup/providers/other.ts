import type { ProviderGuide } from './guide.js'

export const other: ProviderGuide = {
  id: 'other',
  name: 'Another one',
  console: { name: 'console of your identity provider' },
  finding:
    'Any provider of OpenID Connect works. Its documentation calls the address “discovery”, “metadata” or “well-known configuration”; usually it is the issuer followed by /.well-known/openid-configuration.',
  blanks: [],
  screens: [
    {
      path: ['New application'],
      settings: [
        { label: 'Application type', value: { choose: ['OpenID Connect web application'] }, note: 'With a secret.' },
        { label: 'Name', value: { copy: 'app-name' } },
        { label: 'Grant types', value: { choose: ['Authorization code', 'Refresh token'] } },
        { label: 'Sign-in redirect URI', value: { copy: 'sign-in-uri' }, note: 'Also called callback URL.' },
        { label: 'Scopes', value: { choose: ['openid', 'email', 'profile', 'offline_access'] } },
        {
          label: 'Initiate login URI',
          value: { copy: 'login-uri' },
          note: 'Also called login URL or home page URL. Without such a field, hand the address out.',
        },
        { label: 'Login initiated by', value: { choose: ['Both the provider and the application'] } },
        { label: 'Application icon', value: { choose: ['Shown to users'] } },
        { label: 'Assignments', value: { choose: ['Those who may use Omen'] } },
      ],
    },
  ],
  credentials: { path: ['The application’s page'], note: 'Client ID and client secret.' },
}
