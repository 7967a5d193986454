import type { Keys } from './document/shape.js'
import { NOTIFICATION_TYPES } from './settings.js'

/** What may stand in `config.yaml`. */
export const CONFIG_KEYS = {
  rules: {
    shape: {
      is: 'map',
      keys: {
        paths: {
          shape: { is: 'list', of: { is: 'path' } },
          about: 'custom rule documents, and folders of them; as `-r`',
          mistakenFor: ['path', 'files', 'custom', 'folders', 'dirs'],
        },
        disableCommunityRules: {
          shape: { is: 'boolean' },
          about: 'do not run the community rules; as `-d`',
          default: 'false',
          mistakenFor: ['disabled', 'disableCommunity', 'disableRules'],
        },
      },
    },
    about: 'which rules run',
  },
  rulesVersion: { shape: { is: 'version' }, about: 'stay on this version of the community rules' },
  acceptUpdates: {
    shape: { is: 'boolean' },
    about: 'accept updates without asking; as `-y`',
    default: 'false',
    mistakenFor: ['autoUpdate', 'autoUpdates'],
  },
  updateFrequency: {
    shape: { is: 'duration' },
    about: 'how often to look for updates; `off`: only by command',
    default: '24h',
  },
  dataSources: {
    shape: { is: 'path' },
    about: 'the data source file to use when nothing else is given; as `-s`',
    mistakenFor: ['sources', 'source', 'dataSourceFile'],
  },
  timestamps: {
    shape: {
      is: 'list',
      of: {
        is: 'map',
        keys: {
          pattern: {
            shape: { is: 'time-pattern' },
            about: 'finds the time in a line: its first group, or all that it matches',
            required: true,
            mistakenFor: ['regex', 'regexp'],
          },
          format: {
            shape: { is: 'time-format' },
            about: 'how the time is written',
            required: true,
            mistakenFor: ['layout'],
          },
        },
      },
    },
    about: 'formats of timestamps, tried before the built-in ones',
    mistakenFor: ['timestampFormats', 'timestamp'],
  },
  window: {
    shape: { is: 'duration' },
    about: 'put entries in the order of their times within this long',
    default: 'off',
    mistakenFor: ['reorderWindow'],
  },
  skip: {
    shape: { is: 'integer', from: 1, to: 100_000 },
    about: 'how many lines to try for a timestamp',
    default: '50',
  },
  notification: {
    shape: {
      is: 'map',
      keys: {
        type: {
          shape: { is: 'choice', of: NOTIFICATION_TYPES },
          about: 'the service to notify',
          mistakenFor: ['kind'],
        },
        webhook: {
          shape: { is: 'url' },
          about: 'its webhook, a secret: never shown whole',
          secret: true,
          mistakenFor: ['url', 'uri', 'webhookUrl'],
        },
      },
    },
    about: 'where detections are announced',
    mistakenFor: ['notifications', 'notify'],
  },
  service: {
    shape: {
      is: 'map',
      keys: {
        url: {
          shape: { is: 'url' },
          about: 'base URL of an omen-server: updates, login, reports',
          secret: true,
          mistakenFor: ['baseUrl', 'address'],
        },
      },
    },
    about: 'the service that the tool belongs to',
    mistakenFor: ['server'],
  },
  updates: {
    shape: {
      is: 'map',
      keys: {
        publicKeys: {
          shape: { is: 'list', of: { is: 'public-key' } },
          about: 'the keys that sign updates, in place of those that come with the tool',
          mistakenFor: ['publicKey', 'keys', 'key'],
        },
      },
    },
    about: 'how updates are checked',
  },
} as const satisfies Keys
