import { type ProviderGuide, UUID } from './guide.js'

export const entra: ProviderGuide = {
  id: 'entra',
  name: 'Microsoft Entra ID',
  console: { name: 'Microsoft Entra admin center', url: 'https://entra.microsoft.com/' },
  wellKnownUrlHint: 'You find the tenant ID on the Overview page of Entra ID.',
  placeholders: [
    {
      name: 'tenant',
      label: 'Directory (tenant) ID',
      hint: 'Enter the ID, not the name of the tenant.',
      example: '6f1b7a2e-0c54-4d3b-9a8e-2f7d1c5b9e03',
      kind: 'uuid',
    },
    {
      name: 'cloud',
      label: 'Cloud',
      hint: 'Global, unless your tenant is in a national cloud.',
      kind: 'choice',
      options: [
        { value: 'login.microsoftonline.com', label: 'Global' },
        { value: 'login.microsoftonline.us', label: 'US government' },
        { value: 'login.partner.microsoftonline.cn', label: 'China (21Vianet)' },
      ],
    },
  ],
  template: 'https://{cloud}/{tenant}/v2.0/.well-known/openid-configuration',
  screens: [
    {
      path: ['Entra ID', 'App registrations', 'New registration'],
      settings: [
        { label: 'Name', value: { copy: 'app-name' } },
        {
          label: 'Supported account types',
          value: { choose: ['Accounts in this organizational directory only'] },
          note: 'Also called “Single tenant”.',
        },
        { label: 'Redirect URI: platform', value: { choose: ['Web'] } },
        { label: 'Redirect URI', value: { copy: 'sign-in-uri' } },
      ],
    },
    {
      path: ['Register', 'API permissions', 'Add a permission', 'Microsoft Graph', 'Delegated permissions'],
      settings: [
        {
          label: 'OpenId permissions',
          value: { choose: ['openid', 'email', 'profile', 'offline_access'] },
          note: 'The authorization code grant is always on; offline_access allows refresh tokens. Then select “Grant admin consent”.',
        },
      ],
    },
    {
      path: ['Branding & properties'],
      settings: [
        {
          label: 'Home page URL',
          value: { copy: 'login-uri' },
          note: 'Entra’s name for the initiate login URI. My Apps opens it. Then select Save.',
        },
      ],
    },
    {
      path: ['Entra ID', 'Enterprise apps', 'Omen', 'Properties'],
      settings: [
        { label: 'Visible to users?', value: { choose: ['Yes'] }, note: 'Shows the icon in My Apps.' },
        { label: 'Assignment required?', value: { choose: ['Yes'] } },
        {
          label: 'Users and groups',
          value: { choose: ['Add user/group'] },
          note: 'The users and groups that may use Omen. Each user needs an e-mail address in their profile.',
        },
      ],
    },
  ],
  credentials: {
    path: ['App registrations', 'Omen', 'Certificates & secrets', 'New client secret'],
    note: 'Copy the Value of the secret: it is shown only once. You find the Application (client) ID on the Overview page.',
  },
  clientId: { pattern: UUID, message: 'An Application (client) ID looks like 6f1b7a2e-0c54-4d3b-9a8e-2f7d1c5b9e03.' },
  wrongSecret: { pattern: UUID, message: 'This looks like the Secret ID. Copy the Value next to it instead.' },
  reminder: 'Entra secrets expire after at most two years. Note the date: sign-in stops working then.',
}
