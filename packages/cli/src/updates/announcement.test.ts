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

const read = (answer: unknown) => readAnnouncement(JSON.stringify(answer), service)

describe('an announcement', () => {
  it('has what the service has, with addresses at the service', () => {
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

  it('may have nothing', () => {
    expect(read({})).toEqual({ rules: undefined, private: undefined, tool: undefined })
    expect(read({ rules: null }).rules).toBeUndefined()
  })

  it.each([
    [[], 'the answer is no object'],
    [{ rules: 'x' }, 'rules is no object'],
    [{ rules: {} }, 'rules.version is missing'],
    [{ rules: { ...RULES, version: '1.4' } }, 'rules.version is not what it should be'],
    [{ rules: { ...RULES, version: '1.4.1' } }, 'rules.file is not of version 1.4.1'],
    [{ rules: { ...RULES, file: `../${file}` } }, 'rules.file is not what it should be'],
    [{ rules: { ...RULES, file: file.replace('public', 'private') } }, 'rules.file is not what it should be'],
    [{ private: RULES }, 'private.file is not what it should be'],
    [{ rules: { ...RULES, sha256: 'f'.repeat(64) } }, 'rules.file has another hash than rules.sha256'],
    [{ rules: { ...RULES, sha256: 'F'.repeat(64) } }, 'rules.sha256 is not what it should be'],
    [{ rules: { ...RULES, size: 0 } }, 'rules.size is not between 1 and 67108864'],
    [{ rules: { ...RULES, size: 2 ** 40 } }, 'rules.size is not between 1 and 67108864'],
    [{ rules: { ...RULES, url: 7 } }, 'rules.url is no address'],
    [
      { rules: { ...RULES, url: 'http://omen.example.com/x' } },
      'rules.url leads to omen.example.com, not to omen.example.com',
    ],
    [{ rules: { ...RULES, sig_url: '//evil.example.org/x' } }, 'rules.sig_url leads to evil.example.org'],
    [{ tool: { ...TOOL, files: 'x' } }, 'tool.files is no list'],
    [
      { tool: { ...TOOL, files: [{ ...TOOL_FILE, platform: '../x' }] } },
      'tool.files[0].platform is not what it should be',
    ],
  ])('%j is refused: %s', (answer, reason) => {
    expect(() => read(answer)).toThrow(Failure)
    expect(() => read(answer)).toThrow(`the service announces its releases wrongly: ${reason}`)
  })

  it('that is anything at all is read or refused, and does nothing else', () => {
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

  it('keeps notes short', () => {
    expect(read({ rules: { ...RULES, notes: 'x'.repeat(500) } }).rules?.notes).toHaveLength(200)
    expect(read({ rules: { ...RULES, notes: ' ' } }).rules?.notes).toBeUndefined()
  })
})
