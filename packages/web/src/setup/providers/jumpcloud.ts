import type { ProviderGuide } from './guide.js'

export const jumpcloud: ProviderGuide = {
  id: 'jumpcloud',
  name: 'JumpCloud',
  console: { name: 'JumpCloud Admin Portal', url: 'https://console.jumpcloud.com/' },
  wellKnownUrlHint:
    'The URL depends only on the region of your organization, which you find in the URL of your Admin Portal.',
  placeholders: [
    {
      name: 'region',
      label: 'Region',
      hint: 'United States, unless the URL of your portal contains “eu” or “in”.',
      kind: 'choice',
      options: [
        { value: 'oauth.id.jumpcloud.com', label: 'United States' },
        { value: 'oauth.id.eu.jumpcloud.com', label: 'Europe' },
        { value: 'oauth.id.in.jumpcloud.com', label: 'India' },
      ],
    },
  ],
  template: 'https://{region}/.well-known/openid-configuration',
  screens: [
    {
      path: ['User Authentication', 'SSO Applications', 'Add New Application', 'Custom Application'],
      settings: [
        { label: 'Manage Single Sign-On (SSO)', value: { choose: ['Configure SSO with OIDC'] } },
        { label: 'Display Label', value: { copy: 'app-name' } },
        { label: 'Show this application in User Portal', value: { choose: ['On'] } },
      ],
    },
    {
      path: ['Configure Application', 'SSO'],
      settings: [
        {
          label: 'Grant Types',
          value: { choose: ['Authorization Code', 'Refresh Token'] },
          note: 'Authorization Code is always on.',
        },
        { label: 'Redirect URIs', value: { copy: 'sign-in-uri' } },
        { label: 'Client Authentication Type', value: { choose: ['Client Secret Basic', 'or Client Secret POST'] } },
        { label: 'Login URL', value: { copy: 'login-uri' }, note: 'JumpCloud’s name for the initiate login URI.' },
        { label: 'Standard Scopes', value: { choose: ['Email', 'Profile'] }, note: 'Under Attribute Mapping.' },
      ],
    },
    {
      path: ['User Groups'],
      settings: [
        {
          label: 'Groups',
          value: { choose: ['The groups that may use Omen'] },
          note: 'Nobody has access until you select a group. Then select Activate.',
        },
      ],
    },
  ],
  credentials: {
    path: ['Activate'],
    note: 'A dialog shows the Client ID and the Client Secret. The secret is shown only once.',
  },
}
