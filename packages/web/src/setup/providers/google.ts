import type { ProviderGuide } from './guide.js'

export const google: ProviderGuide = {
  id: 'google',
  name: 'Google Workspace',
  console: { name: 'Google Cloud console', url: 'https://console.cloud.google.com/auth/clients' },
  finding: 'The address is the same for every organization that uses Google.',
  blanks: [],
  template: 'https://accounts.google.com/.well-known/openid-configuration',
  screens: [
    {
      path: ['Google Auth Platform', 'Get started'],
      settings: [
        { label: 'App name', value: { copy: 'app-name' }, note: 'Skip this screen if the project is set up already.' },
        {
          label: 'Audience',
          value: { choose: ['Internal'] },
          note: 'Only accounts of your own Workspace can sign in.',
        },
      ],
    },
    {
      path: ['Google Auth Platform', 'Clients', 'Create client'],
      settings: [
        { label: 'Application type', value: { choose: ['Web application'] } },
        { label: 'Name', value: { copy: 'app-name' } },
        {
          label: 'Authorized redirect URIs',
          value: { copy: 'sign-in-uri' },
          note: 'Not the JavaScript origins above it. Grants need no setting: Google allows code and refresh token.',
        },
      ],
    },
    {
      path: ['admin.google.com', 'Security', 'Access and data control', 'API controls', 'Manage app access'],
      settings: [
        {
          label: 'Access',
          value: { choose: ['Trusted', 'or Limited'] },
          note: 'Who may use Omen, by organizational unit. With Internal, everybody may unless you limit it.',
        },
        {
          label: 'Login address for your people',
          value: { copy: 'login-uri' },
          note: 'Google has no initiate login URI and no icon for it: hand out this address, as a bookmark for example.',
        },
      ],
    },
  ],
  credentials: {
    path: ['Google Auth Platform', 'Clients', 'Omen'],
    note: 'Both are shown when the client is created. The secret cannot be read again later.',
  },
  clientId: {
    pattern: /\.apps\.googleusercontent\.com$/,
    message: 'A client ID of Google ends with .apps.googleusercontent.com.',
  },
  mistakenSecret: {
    pattern: /\.apps\.googleusercontent\.com$/,
    message: 'This looks like the client ID. A client secret of Google begins with GOCSPX-.',
  },
}
