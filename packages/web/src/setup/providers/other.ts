import type { ProviderGuide } from './guide.js'

export const other: ProviderGuide = {
  id: 'other',
  name: 'Other provider',
  console: { name: 'console of your identity provider' },
  wellKnownUrlHint:
    'Any OpenID Connect provider works. Its documentation calls the URL “discovery”, “metadata” or “well-known configuration”. Usually it is the issuer followed by /.well-known/openid-configuration.',
  placeholders: [],
  screens: [
    {
      path: ['New application'],
      settings: [
        {
          label: 'Application type',
          value: { choose: ['OpenID Connect web application'] },
          note: 'With a client secret.',
        },
        { label: 'Name', value: { copy: 'app-name' } },
        { label: 'Grant types', value: { choose: ['Authorization code', 'Refresh token'] } },
        { label: 'Sign-in redirect URI', value: { copy: 'sign-in-uri' }, note: 'Also called callback URL.' },
        { label: 'Scopes', value: { choose: ['openid', 'email', 'profile', 'offline_access'] } },
        {
          label: 'Initiate login URI',
          value: { copy: 'login-uri' },
          note: 'Also called login URL or home page URL. If there is no such field, give this URL to your users.',
        },
        { label: 'Login initiated by', value: { choose: ['Both the provider and the application'] } },
        { label: 'Application icon', value: { choose: ['ResourceView to users'] } },
        { label: 'Assignments', value: { choose: ['The users that may use Omen'] } },
      ],
    },
  ],
  credentials: { path: ['The page of the application'], note: 'You find both there.' },
}
