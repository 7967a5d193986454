import { expect, test } from 'vitest'
import { loadSettings } from '../settings/load-settings.js'
import { announce } from './announce.js'

const now = new Date('2026-03-01T12:00:00Z')
const settingsOf = (flags: Record<string, string>, env = {}) => loadSettings({ flags, env, folder: '/srv' }).settings

test('says where it listens and how to issue the first code, with a path that a shell understands', () => {
  expect(announce(settingsOf({ dataDir: "/srv/o'data dir", host: '::' }), { hasCodes: false, now })).toBe(`\
omen-server listens on http://[::]:8080
  Onboarding  http://localhost:8080
  Sign-in     http://localhost:8080
  App         http://localhost:8080
  Database    embedded, in /srv/o'data dir
To start, issue a code:
  omen-server code issue --data-dir '/srv/o'\\''data dir' --org "Acme" --expires 2026-03-31
`)
})

test('on PostgreSQL no password is shown, and with codes no first one is explained', () => {
  const settings = settingsOf({}, { DATABASE_URL: 'postgres://omen:SECRET@db.example.com:5433/omen?sslmode=require' })
  const text = announce(settings, { hasCodes: true, now })
  expect(text).toContain('  Database    postgres://db.example.com:5433/omen\n')
  expect(text).not.toContain('SECRET')
  expect(text).not.toContain('To begin')
})
