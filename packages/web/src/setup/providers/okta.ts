import type { ProviderGuide } from './guide.js'

export const okta: ProviderGuide = {
  id: 'okta',
  name: 'Okta',
  console: { name: 'Okta Admin Console' },
  wellKnownUrlHint:
    'You find your Okta domain in the menu under your name, at the top right of the Admin Console. For a custom authorization server, paste its Metadata URI below.',
  placeholders: [
    {
      name: 'domain',
      label: 'Okta domain',
      hint: 'The domain where your users sign in, without “-admin”.',
      example: 'acme.okta.com',
      kind: 'host',
    },
  ],
  template: 'https://{domain}/.well-known/openid-configuration',
  screens: [
    {
      path: ['Applications', 'Applications', 'Create App Integration'],
      settings: [
        { label: 'Sign-in method', value: { choose: ['OIDC - OpenID Connect'] } },
        { label: 'Application type', value: { choose: ['Web Application'] } },
      ],
    },
    {
      path: ['Next', 'New Web App Integration'],
      settings: [
        { label: 'App integration name', value: { copy: 'app-name' } },
        {
          label: 'Grant type',
          value: { choose: ['Authorization Code', 'Refresh Token'] },
          note: 'Authorization Code is already on. Refresh Token is not.',
        },
        {
          label: 'Sign-in redirect URIs',
          value: { copy: 'sign-in-uri' },
          note: 'Replace the example.',
        },
        {
          label: 'Controlled access',
          value: { choose: ['Allow everyone in your organization to access', 'or Limit access to selected groups'] },
          note: 'This decides who may use Omen. You can change it later under Assignments.',
        },
      ],
    },
    {
      path: ['Save', 'General', 'General Settings', 'Edit'],
      settings: [
        { label: 'Login initiated by', value: { choose: ['Either Okta or App'] } },
        { label: 'Application visibility', value: { choose: ['Display application icon to users'] } },
        { label: 'Login flow', value: { choose: ['Redirect to app to initiate login (OIDC Compliant)'] } },
        { label: 'Initiate login URI', value: { copy: 'login-uri' } },
      ],
    },
  ],
  credentials: {
    path: ['General', 'Client Credentials'],
    note: 'You find the secret below the Client ID, under Client Secrets.',
  },
}
