import { expect, test } from 'vitest'
import { loadSettings } from '../settings/load-settings.js'
import { announce } from './announce.js'

const now = new Date('2026-03-01T12:00:00Z')
const settingsOf = (flags: Record<string, string>, env = {}) => loadSettings({ flags, env, folder: '/srv' }).settings

test('prints the address and the command for the first code, with a path that a shell can read', () => {
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

test('prints no password of PostgreSQL, and no command if there are codes', () => {
  const settings = settingsOf({}, { DATABASE_URL: 'postgres://omen:SECRET@db.example.com:5433/omen?sslmode=require' })
  const text = announce(settings, { hasCodes: true, now })
  expect(text).toContain('  Database    postgres://db.example.com:5433/omen\n')
  expect(text).not.toContain('SECRET')
  expect(text).not.toContain('To begin')
})
