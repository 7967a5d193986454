import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findOpener } from './open-browser.js'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'omen-browser-'))
  for (const name of ['xdg-open', 'open', 'rundll32.exe']) {
    writeFileSync(join(folder, name), '')
    chmodSync(join(folder, name), 0o755)
  }
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('a browser is opened with the command of the system', () => {
  const PATH = ['', '/nowhere', folder].join(delimiter)
  expect(findOpener('linux', { PATH, WAYLAND_DISPLAY: 'wayland-0' })).toEqual([join(folder, 'xdg-open')])
  expect(findOpener('darwin', { PATH })).toEqual([join(folder, 'open')])
  expect(findOpener('win32', { Path: PATH })).toEqual([join(folder, 'rundll32.exe'), 'url.dll,FileProtocolHandler'])
})

it('no browser is opened without a screen or without such a command', () => {
  expect(findOpener('linux', { PATH: folder })).toBeUndefined()
  expect(findOpener('darwin', { PATH: folder, SSH_CONNECTION: '203.0.113.7 1 203.0.113.8 22' })).toBeUndefined()
  expect(findOpener('linux', { PATH: '/nowhere', DISPLAY: ':0' })).toBeUndefined()
  expect(findOpener('aix', { PATH: folder, DISPLAY: ':0' })).toBeUndefined()
})
