import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { CONFIG_KEYS } from './config-keys.js'
import { describeSettings, type SettingFlags } from './describe-settings.js'
import { leavesOf } from './document/shape.js'
import { loadSettings } from './load-settings.js'
import { configAsJson, renderConfig } from './render-config.js'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'omen-config-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const NO_FLAGS: SettingFlags = { disabled: false, rules: [], acceptUpdates: false }

async function report(text: string | undefined, flags: SettingFlags = NO_FLAGS, env: Record<string, string> = {}) {
  if (text !== undefined) writeFileSync(join(folder, 'config.yaml'), text)
  const loaded = await loadSettings({ folder, env: { HOME: '/home/ada' } })
  // The width of columns must not depend on where the test runs.
  const paths = { folder: '/home/ada/.preq', file: '/home/ada/.preq/config.yaml' }
  return describeSettings({ ...loaded, ...paths }, flags, { env, ruleCache: '/home/ada/.preq/cache' })
}

test('without a file every value is a default', async () => {
  expect(renderConfig(await report(undefined))).toBe(`\
Configuration folder  /home/ada/.preq              default
config.yaml           /home/ada/.preq/config.yaml  does not exist; the defaults apply
Rule cache            /home/ada/.preq/cache

KEY                          VALUE  FROM
rules.paths                  none   default
rules.disableCommunityRules  false  default
rulesVersion                 none   default
acceptUpdates                false  default
updateFrequency              24h    default
dataSources                  none   default
timestamps                   none   default
timezone                     none   default
window                       1s     default
skip                         50     default
notification.type            none   default
notification.webhook         none   default
service.url                  none   default
updates.publicKeys           none   default
`)
})

const CONFIG = `
rules:
  paths: [~/a.yaml, /opt/b]
window: 90s
timestamps:
  - {pattern: '^(\\S+)', format: rfc3339}
notification:
  type: teams
  webhook: https://user:pass@acme.webhook.office.com/webhookb2/SECRET?sig=SECRET
service: {url: "https://token:SECRET@omen.example.com/base"}
updates: {publicKeys: ["-----BEGIN PUBLIC KEY-----\\nMFkw\\n-----END PUBLIC KEY-----"]}
timezone: +02:00
`

test('values come from the file and from flags, and secrets are masked', async () => {
  const flags = { disabled: true, rules: ['c.yaml'], acceptUpdates: true, dataSources: ['x.yaml', 'y.yaml'] }
  const text = renderConfig(await report(CONFIG, flags, { OMEN_CONFIG_DIR: '/home/ada/.preq' }))
  expect(text).toBe(`\
Configuration folder  /home/ada/.preq              OMEN_CONFIG_DIR
config.yaml           /home/ada/.preq/config.yaml
Rule cache            /home/ada/.preq/cache

KEY                          VALUE                              FROM
rules.paths                  /home/ada/a.yaml                   config.yaml:3
                             /opt/b                             config.yaml:3
                             c.yaml                             -r
rules.disableCommunityRules  true                               -d
rulesVersion                 none                               default
acceptUpdates                true                               -y
updateFrequency              24h                                default
dataSources                  x.yaml                             -s
                             y.yaml                             -s
timestamps                   ^(\\S+)  rfc3339                    config.yaml:6
timezone                     +02:00                             config.yaml:12
window                       1m30s                              config.yaml:4
skip                         50                                 default
notification.type            teams                              config.yaml:8
notification.webhook         https://acme.webhook.office.com/…  config.yaml:9
service.url                  https://…@omen.example.com/base    config.yaml:10
updates.publicKeys           PEM key                            config.yaml:11
`)
})

test('JSON contains the same values', async () => {
  const {
    folder: where,
    file,
    settings,
  } = JSON.parse(configAsJson(await report(CONFIG, { ...NO_FLAGS, rules: ['c'] })))
  expect(where).toEqual({ path: '/home/ada/.preq', from: 'default' })
  expect(file).toEqual({ path: '/home/ada/.preq/config.yaml', exists: true })
  expect(Object.keys(settings)).toEqual(leavesOf(CONFIG_KEYS).map(([name]) => name))
  expect(settings['rules.paths']).toEqual({
    value: ['/home/ada/a.yaml', '/opt/b', 'c'],
    from: 'config.yaml:3, -r',
  })
  expect(settings.timestamps.value).toEqual([{ pattern: '^(\\S+)', format: 'rfc3339' }])
  expect(settings.window).toEqual({ value: '1m30s', from: 'config.yaml:4' })
  expect(settings.dataSources).toEqual({ value: null, from: 'default' })
  expect(settings.skip).toEqual({ value: 50, from: 'default' })
  expect(settings['notification.webhook'].value).toBe('https://acme.webhook.office.com/…')
})

test('no output shows a secret', async () => {
  const described = await report(CONFIG)
  for (const text of [renderConfig(described), configAsJson(described)]) expect(text).not.toMatch(/SECRET|pass/)
})

test('on a terminal defaults are dimmed, and paths cannot control it', async () => {
  const text = renderConfig(await report('rules: {paths: [a.yaml]}\n', { ...NO_FLAGS, rules: ['\u001b]0;x\u0007'] }), {
    colours: true,
  })
  expect(text).toContain('\u001b[1mKEY')
  expect(text).toContain(`\u001b[2m${'skip'.padEnd(27)}  50 `)
  expect(text).not.toContain('\u001b]0')
})
