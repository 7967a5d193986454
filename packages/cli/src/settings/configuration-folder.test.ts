import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { configurationFolder, homeFolder, resolvePath } from './configuration-folder.js'

describe('the configuration folder', () => {
  test.each([
    [{ HOME: '/home/ada' }, '/home/ada/.preq'],
    [{ HOME: '/' }, '/.preq'],
    [{ HOME: '/home/ada', OMEN_CONFIG_DIR: '/etc/omen/' }, '/etc/omen'],
    [{ HOME: '/home/ada', OMEN_CONFIG_DIR: '' }, '/home/ada/.preq'],
    [{ HOME: '/home/ada', OMEN_CONFIG_DIR: '~/omen' }, '/home/ada/omen'],
    [{ HOME: '/home/ada', OMEN_CONFIG_DIR: 'here' }, resolve('here')],
  ])('%j is %s', (env, folder) => {
    expect(configurationFolder(env)).toBe(folder)
  })

  test('is /.preq in a pod, if that is mounted and the home has none', () => {
    const env = { HOME: '/home/nonroot', KUBERNETES_SERVICE_HOST: '10.0.0.1' }
    expect(configurationFolder(env, undefined, (path) => path === '/.preq')).toBe('/.preq')
    expect(configurationFolder(env, undefined, () => true)).toBe('/home/nonroot/.preq')
    expect(configurationFolder(env, undefined, () => false)).toBe('/home/nonroot/.preq')
    expect(configurationFolder({ HOME: '/home/ada' }, undefined, () => true)).toBe('/home/ada/.preq')
  })

  test('is in the home folder of the system if HOME is unset or empty', () => {
    expect(configurationFolder({}, '/home/known')).toBe('/home/known/.preq')
    expect(homeFolder({ HOME: '' })).toBe(homedir() || '/')
    expect(configurationFolder({ HOME: '' })).toBe(join(homedir() || '/', '.preq'))
  })
})

test.each([
  ['rules.yaml', '/etc/omen/rules.yaml'],
  ['./a/../b', '/etc/omen/b'],
  ['../rules', '/etc/rules'],
  ['/abs/path/', '/abs/path'],
  ['~/rules', '/home/ada/rules'],
  ['~', '/home/ada'],
  ['~bob/rules', '/etc/omen/~bob/rules'],
  ['logs/*.log', '/etc/omen/logs/*.log'],
])('the path %s of a file in /etc/omen is %s', (path, expected) => {
  expect(resolvePath(path, '/etc/omen', '/home/ada')).toBe(expected)
})
