import { describe, expect, it } from 'vitest'
import { withService } from './edit-config.js'

const PEM = '-----BEGIN PUBLIC KEY-----\nMFkw\n-----END PUBLIC KEY-----\n'
const TRUSTED = { url: 'https://omen.example.com', keys: [{ pem: PEM, fingerprint: 'SHA256:x' }] }
const KEYS = `publicKeys:
    # SHA256:x
    - |
      -----BEGIN PUBLIC KEY-----
      MFkw
      -----END PUBLIC KEY-----
`

describe('config.yaml with a trusted service', () => {
  it.each([
    ['nothing', '', `service:\n  url: https://omen.example.com\nupdates:\n  ${KEYS}`],
    ['a comment alone', '# mine\n', `# mine\n\nservice:\n  url: https://omen.example.com\nupdates:\n  ${KEYS}`],
    [
      'an empty service',
      'service:\nskip: 5\n',
      `service:\n  url: https://omen.example.com\nskip: 5\nupdates:\n  ${KEYS}`,
    ],
    [
      'another service, in braces',
      'service: {url: "https://old.example.com"} # old\nskip: 5\n',
      `service: {url: "https://omen.example.com"} # old\nskip: 5\nupdates:\n  ${KEYS}`,
    ],
    [
      'lists that are not indented',
      'rules:\n  paths:\n  - a.yaml\n',
      `rules:\n  paths:\n  - a.yaml\nservice:\n  url: https://omen.example.com\nupdates:\n  ${KEYS.replaceAll(/^ {2}/gm, '')}`,
    ],
  ])('is created from %s', async (_, before, after) => {
    expect(await withService(before, TRUSTED)).toBe(after)
  })

  it('keeps line ends, long lines and quotes', async () => {
    const long = `about: '${'word '.repeat(60)}'`
    const text = await withService(`skip: 5 # a\r\n${long}\r\n`, TRUSTED)
    expect(text.split('\r\n').slice(0, 2)).toEqual(['skip: 5 # a', long])
    expect(text).not.toMatch(/[^\r]\n/)
  })

  it('does not change if the same service is trusted again', async () => {
    const once = await withService('skip: 5 # a\n', TRUSTED)
    expect(await withService(once, TRUSTED)).toBe(once)
  })
})
