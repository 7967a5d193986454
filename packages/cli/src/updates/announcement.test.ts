import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Failure } from '../failure.js'
import { readAnnouncement } from './announcement.js'

const service = new URL('https://omen.example.com/base')
const hash = '9f2c11aa0b1c'.padEnd(64, '0')
const file = 'omen-public-cre-rules.1.4.0.9f2c11aa0b1c.yaml.gz'
const RULES = {
  version: '1.4.0',
  file,
  size: 81_234,
  sha256: hash,
  url: `https://omen.example.com/v1/rules/${file}`,
  sha256_url: `/v1/rules/${file}.sha256`,
  sig_url: `https://omen.example.com:443/v1/rules/${file}.sig`,
  notes: 'Kafka\nand more',
}
const TOOL_FILE = { platform: 'linux-x64', size: 1, sha256: hash, url: '/t/omen', sig_url: '/t/omen.sig' }
const TOOL = { version: '0.3.0', files: [TOOL_FILE, { ...TOOL_FILE, platform: 'darwin-arm64' }] }

const read = (response: unknown) => readAnnouncement(JSON.stringify(response), service)

describe('an announcement', () => {
  it('contains the releases of the service, with URLs of the service', () => {
    const { rules, private: own, tool } = read({ rules: RULES, tool: TOOL, more: 1 })
    expect(rules).toMatchObject({ version: '1.4.0', file, size: 81_234, sha256: hash, notes: 'Kafka' })
    expect([rules?.url.href, rules?.sha256Url.href, rules?.sigUrl.href]).toEqual([
      `https://omen.example.com/v1/rules/${file}`,
      `https://omen.example.com/v1/rules/${file}.sha256`,
      `https://omen.example.com/v1/rules/${file}.sig`,
    ])
    expect(own).toBeUndefined()
    expect(tool?.files.map(({ platform, url }) => [platform, url.href])).toEqual([
      ['linux-x64', 'https://omen.example.com/t/omen'],
      ['darwin-arm64', 'https://omen.example.com/t/omen'],
    ])
  })

  it('may be empty', () => {
    expect(read({})).toEqual({ rules: undefined, private: undefined, tool: undefined })
    expect(read({ rules: null }).rules).toBeUndefined()
  })

  it.each([
    [[], 'the response is not an object'],
    [{ rules: 'x' }, 'rules is not an object'],
    [{ rules: {} }, 'rules.version is missing'],
    [{ rules: { ...RULES, version: '1.4' } }, 'rules.version is not valid'],
    [{ rules: { ...RULES, version: '1.4.1' } }, 'rules.file is not a file of version 1.4.1'],
    [{ rules: { ...RULES, file: `../${file}` } }, 'rules.file is not valid'],
    [{ rules: { ...RULES, file: file.replace('public', 'private') } }, 'rules.file is not valid'],
    [{ private: RULES }, 'private.file is not valid'],
    [{ rules: { ...RULES, sha256: 'f'.repeat(64) } }, 'rules.file does not contain the hash of rules.sha256'],
    [{ rules: { ...RULES, sha256: 'F'.repeat(64) } }, 'rules.sha256 is not valid'],
    [{ rules: { ...RULES, size: 0 } }, 'rules.size is not between 1 and 67108864'],
    [{ rules: { ...RULES, size: 2 ** 40 } }, 'rules.size is not between 1 and 67108864'],
    [{ rules: { ...RULES, url: 7 } }, 'rules.url is not a URL'],
    [
      { rules: { ...RULES, url: 'http://omen.example.com/x' } },
      'rules.url points to http://omen.example.com, not to https://omen.example.com',
    ],
    [{ rules: { ...RULES, sig_url: '//evil.example.org/x' } }, 'rules.sig_url points to https://evil.example.org'],
    [{ tool: { ...TOOL, files: 'x' } }, 'tool.files is not a list'],
    [{ tool: { ...TOOL, files: [{ ...TOOL_FILE, platform: '../x' }] } }, 'tool.files[0].platform is not valid'],
  ])('%j is refused: %s', (response, reason) => {
    expect(() => read(response)).toThrow(Failure)
    expect(() => read(response)).toThrow(`the service sent an invalid announcement: ${reason}`)
  })

  it('is accepted or throws a Failure, whatever it contains', () => {
    const texts = fc.oneof(
      fc.string(),
      fc.json(),
      fc.record({ rules: fc.object(), tool: fc.object() }).map((o) => JSON.stringify(o)),
    )
    fc.assert(
      fc.property(texts, (text) => {
        try {
          readAnnouncement(text, service)
        } catch (error) {
          expect(error).toBeInstanceOf(Failure)
        }
      }),
    )
  })

  it('shortens long notes', () => {
    expect(read({ rules: { ...RULES, notes: 'x'.repeat(500) } }).rules?.notes).toHaveLength(200)
    expect(read({ rules: { ...RULES, notes: ' ' } }).rules?.notes).toBeUndefined()
  })
})
