import type { ProviderGuide } from './guide.js'

export const onelogin: ProviderGuide = {
  id: 'onelogin',
  name: 'OneLogin',
  console: { name: 'OneLogin Administration' },
  wellKnownUrlHint: 'The subdomain is the first part of the domain where your users sign in.',
  placeholders: [
    {
      name: 'subdomain',
      label: 'OneLogin subdomain',
      hint: 'The part before .onelogin.com.',
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
          note: 'A change can take ten minutes to take effect.',
        },
      ],
    },
    {
      path: ['SSO'],
      settings: [
        {
          label: 'Application Type',
          value: { choose: ['Web'] },
          note: 'This type allows the authorization code grant and refresh tokens.',
        },
        { label: 'Token Endpoint: Authentication Method', value: { choose: ['Basic', 'or POST'] } },
      ],
    },
    {
      path: ['Access'],
      settings: [{ label: 'Roles', value: { choose: ['The roles that may use Omen'] }, note: 'Then select Save.' }],
    },
  ],
  credentials: { path: ['SSO'], note: 'You find the Client ID there. Select “Show client secret” to see the secret.' },
}
