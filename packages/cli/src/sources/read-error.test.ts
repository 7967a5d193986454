import { expect, it } from 'vitest'
import { describeReadError } from './read-error.js'

const error = (code: string, message = '') => Object.assign(new Error(message), { code })

it('names the user without permission, and says what to do', () => {
  const isRoot = process.getuid?.() === 0
  const expected = isRoot ? / even for root: the file system does not allow it$/ : / for the user \S+: try sudo$/
  expect(describeReadError(error('EACCES'))).toMatch(/^permission denied/)
  expect(describeReadError(error('EACCES'))).toMatch(expected)
})

it('explains an error of the disk', () => {
  expect(describeReadError(error('EIO'))).toBe('the disk reports an error: see dmesg')
})

it('keeps other messages of the system, without the code and the system call', () => {
  const message = "EXDEV: cross-device link not permitted, open '/var/log/app.log'"
  expect(describeReadError(error('EXDEV', message))).toBe('cross-device link not permitted')
  expect(describeReadError(error('EXDEV', 'EXDEV: cross-device link not permitted, read'))).toBe(
    'cross-device link not permitted',
  )
  expect(describeReadError(new Error('something else'))).toBe('something else')
})
