import type { ProviderGuide } from './guide.js'

export const onelogin: ProviderGuide = {
  id: 'onelogin',
  name: 'OneLogin',
  console: { name: 'OneLogin Administration' },
  finding: 'The subdomain is the first part of the address where your people sign in.',
  blanks: [
    {
      name: 'subdomain',
      label: 'OneLogin subdomain',
      hint: 'What stands before .onelogin.com.',
      example: 'acme',
      kind: 'subdomain',
      suffix: '.onelogin.com',
    },
  ],
  template: 'https://{subdomain}.onelogin.com/oidc/2/.well-known/openid-configuration',
  screens: [
    {
      path: ['Applications', 'Applications', 'Add App', 'OpenId Connect (OIDC)'],
      settings: [
        { label: 'Display Name', value: { copy: 'app-name' } },
        { label: 'Visible in portal', value: { choose: ['On'] } },
      ],
    },
    {
      path: ['Save', 'Configuration'],
      settings: [
        { label: 'Login Url', value: { copy: 'login-uri' }, note: 'OneLogin’s name for the initiate login URI.' },
        {
          label: 'Redirect URI’s',
          value: { copy: 'sign-in-uri' },
          note: 'A change can take ten minutes until it counts.',
        },
      ],
    },
    {
      path: ['SSO'],
      settings: [
        {
          label: 'Application Type',
          value: { choose: ['Web'] },
          note: 'The authorization code grant and refresh tokens are on for it.',
        },
        { label: 'Token Endpoint: Authentication Method', value: { choose: ['Basic', 'or POST'] } },
      ],
    },
    {
      path: ['Access'],
      settings: [{ label: 'Roles', value: { choose: ['The roles of those who may use Omen'] }, note: 'Save.' }],
    },
  ],
  credentials: { path: ['SSO'], note: 'Client ID, and the secret behind “Show client secret”.' },
}
