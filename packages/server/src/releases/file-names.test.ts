import { expect, test } from 'vitest'
import { packageName, readPackageName, readToolName, splitCompanion } from './file-names.js'

const sha256 = '9f2c4e6a8b0d1f3a5c7e9b1d3f5a7c9e0b2d4f6a8c0e1b3d5f7a9c1e3b5d7f90'

test.each(['public', 'private'] as const)('the name of a %s package is written and parsed', (channel) => {
  const name = packageName({ channel, version: '1.4.0-rc.1', sha256 })
  expect(name).toBe(`omen-${channel}-cre-rules.1.4.0-rc.1.9f2c4e6a8b0d.yaml.gz`)
  expect(readPackageName(name)).toEqual({ channel, version: '1.4.0-rc.1', hash: '9f2c4e6a8b0d' })
})

test.each([
  'omen-public-cre-rules.1.4.9f2c4e6a8b0d.yaml.gz',
  'omen-public-cre-rules.v1.4.0.9f2c4e6a8b0d.yaml.gz',
  'omen-public-cre-rules.1.4.0.9F2C4E6A8B0D.yaml.gz',
  'omen-other-cre-rules.1.4.0.9f2c4e6a8b0d.yaml.gz',
  '../omen-public-cre-rules.1.4.0.9f2c4e6a8b0d.yaml.gz',
  'omen-public-cre-rules.1.4.0.9f2c4e6a8b0d.yaml.gz\n',
  '',
])('%j is not a valid package name', (name) => expect(readPackageName(name)).toBeUndefined())

test.each([
  ['omen-0.3.0-linux-x64', { version: '0.3.0', platform: 'linux-x64' }],
  ['omen-0.3.0-rc.1-darwin-arm64', { version: '0.3.0-rc.1', platform: 'darwin-arm64' }],
  ['omen-0.3.0-win32-x64.exe', { version: '0.3.0', platform: 'win32-x64' }],
  ['omen-0.3.0-win32-x64', undefined],
  ['omen-0.3.0-linux-x64.exe', undefined],
  ['omen-linux-x64', undefined],
  ['omen-0.3.0-beos-ppc', undefined],
  ['omen-0.3.0', undefined],
])('%j is parsed as the name of an executable', (name, read) => expect(readToolName(name)).toEqual(read))

test('companion files are distinguished from packages', () => {
  expect(splitCompanion('a.gz.sig')).toEqual({ file: 'a.gz', companion: '.sig' })
  expect(splitCompanion('a.gz.sha256')).toEqual({ file: 'a.gz', companion: '.sha256' })
  expect(splitCompanion('a.gz')).toEqual({ file: 'a.gz', companion: undefined })
})
