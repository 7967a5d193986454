import type { ProviderGuide } from './guide.js'

export const google: ProviderGuide = {
  id: 'google',
  name: 'Google Workspace',
  console: { name: 'Google Cloud console', url: 'https://console.cloud.google.com/auth/clients' },
  wellKnownUrlHint: 'The URL is the same for every organization that uses Google.',
  placeholders: [],
  template: 'https://accounts.google.com/.well-known/openid-configuration',
  screens: [
    {
      path: ['Google Auth Platform', 'Get started'],
      settings: [
        { label: 'App name', value: { copy: 'app-name' }, note: 'Skip this screen if the project is already set up.' },
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
          note: 'Not the JavaScript origins above. There is no setting for grants: Google allows authorization code and refresh token.',
        },
      ],
    },
    {
      path: ['admin.google.com', 'Security', 'Access and data control', 'API controls', 'Manage app access'],
      settings: [
        {
          label: 'Access',
          value: { choose: ['Trusted', 'or Limited'] },
          note: 'This decides who may use Omen, by organizational unit. With the audience Internal, everyone may unless you limit it.',
        },
        {
          label: 'Sign-in URL for your users',
          value: { copy: 'login-uri' },
          note: 'Google has no initiate login URI and no application icon. Give this URL to your users, for example as a bookmark.',
        },
      ],
    },
  ],
  credentials: {
    path: ['Google Auth Platform', 'Clients', 'Omen'],
    note: 'Both are shown when you create the client. The secret cannot be shown again later.',
  },
  clientId: {
    pattern: /\.apps\.googleusercontent\.com$/,
    message: 'A Google client ID ends with .apps.googleusercontent.com.',
  },
  wrongSecret: {
    pattern: /\.apps\.googleusercontent\.com$/,
    message: 'This looks like the client ID. A Google client secret starts with GOCSPX-.',
  },
}
