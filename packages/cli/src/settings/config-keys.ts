import type { Keys } from './document/shape.js'
import { NOTIFICATION_TYPES } from './settings.js'

/** The keys of `config.yaml`. */
export const CONFIG_KEYS = {
  rules: {
    shape: {
      is: 'map',
      keys: {
        paths: {
          shape: { is: 'list', of: { is: 'path' } },
          about: 'custom rule documents and folders; same as `-r`',
          mistakenFor: ['path', 'files', 'custom', 'folders', 'dirs'],
        },
        disableCommunityRules: {
          shape: { is: 'boolean' },
          about: 'do not run the community rules; same as `-d`',
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
    about: 'accept updates without asking; same as `-y`',
    default: 'false',
    mistakenFor: ['autoUpdate', 'autoUpdates'],
  },
  updateFrequency: {
    shape: { is: 'duration' },
    about: 'how often to check for updates; `off`: only on command',
    default: '24h',
  },
  dataSources: {
    shape: { is: 'path' },
    about: 'the data source file to use if no input is given; same as `-s`',
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
            about: 'finds the time in a line: the first group, or the whole match',
            required: true,
            mistakenFor: ['regex', 'regexp'],
          },
          format: {
            shape: { is: 'time-format' },
            about: 'the format of the time',
            required: true,
            mistakenFor: ['layout'],
          },
        },
      },
    },
    about: 'timestamp formats that are tried before the built-in ones',
    mistakenFor: ['timestampFormats', 'timestamp'],
  },
  timezone: {
    shape: { is: 'zone' },
    about: 'the zone of times without one; by default `local`, and UTC for pods; same as `--log-tz`',
    mistakenFor: ['tz', 'zone', 'logTz'],
  },
  window: {
    shape: { is: 'duration' },
    about: 'match entries in the order of their times, within this duration; `0` or `off`: in the order of the log',
    default: '1s',
    mistakenFor: ['reorderWindow'],
  },
  skip: {
    shape: { is: 'integer', from: 1, to: 100_000 },
    about: 'how many lines to search for a timestamp',
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
          about: 'the URL of its webhook; a secret that is never shown completely',
          secret: true,
          mistakenFor: ['url', 'uri', 'webhookUrl'],
        },
      },
    },
    about: 'where to announce detections',
    mistakenFor: ['notifications', 'notify'],
  },
  service: {
    shape: {
      is: 'map',
      keys: {
        url: {
          shape: { is: 'url' },
          about: 'the base URL of an omen-server: updates, login, reports',
          secret: true,
          mistakenFor: ['baseUrl', 'address'],
        },
      },
    },
    about: 'the service that the tool uses',
    mistakenFor: ['server'],
  },
  updates: {
    shape: {
      is: 'map',
      keys: {
        publicKeys: {
          shape: { is: 'list', of: { is: 'public-key' } },
          about: 'the keys that sign updates, instead of the built-in ones',
          mistakenFor: ['publicKey', 'keys', 'key'],
        },
      },
    },
    about: 'how updates are verified',
  },
} as const satisfies Keys
