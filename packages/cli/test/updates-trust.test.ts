import { readFileSync, statSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { selfSigned } from './certificate.js'
import { useFolder } from './omen.js'
import {
  clearConfiguration,
  type KeyPair,
  makeKeys,
  makePackage,
  type ReleaseService,
  startService,
} from './release-service.js'
import { useProcesses } from './running.js'

const folder = useFolder()
const processes = useProcesses()

let keys: KeyPair
let service: ReleaseService
beforeEach(async () => {
  keys = makeKeys()
  service = await startService(keys)
  clearConfiguration(folder.path('config'))
})
afterEach(() => service.close())

async function omen(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const run = processes.omen(args, { cwd: folder.path('.'), env: folder.environment(env) })
  run.endInput()
  return run.ended
}

const config = () => readFileSync(folder.path('config/config.yaml'), 'utf8')

describe('omen updates trust', () => {
  it('creates a config.yaml that only its owner can read, and enables updates', async () => {
    folder.remove('config')
    const { status, out, err } = await omen(['updates', 'trust', '-y', service.url])
    expect({ status, err }).toEqual({ status: 0, err: '' })
    const file = folder.path('config/config.yaml')
    expect(out).toBe(
      `127.0.0.1:${service.port} signs its releases with\n  ${keys.fingerprint.replace(/=$/, '')}\nWrote service.url and updates.publicKeys to ${file}\n`,
    )
    expect(statSync(file).mode & 0o777).toBe(0o600)
    service.rules = await makePackage('91.4.0')
    expect((await omen(['updates', 'install', '-q'])).status).toBe(0)
  })

  it('keeps the comments, the order and the rest of config.yaml', async () => {
    const before = `# mine
skip: 10 # lines

rules: {paths: [a.yaml, "b.yaml"]}   # two
updates:
  # of the old service
  publicKeys: old.pem
notification:
  type: slack
  webhook: https://hooks.slack.com/services/T0/B0/x
`
    folder.write('config/config.yaml', before)
    expect((await omen(['updates', 'trust', '-y', '-q', `${service.url}/`])).status).toBe(0)
    const pem = keys.pem
      .trimEnd()
      .split('\n')
      .map((line) => `      ${line}\n`)
      .join('')
    expect(config()).toBe(`# mine
skip: 10 # lines

rules: {paths: [a.yaml, "b.yaml"]} # two
updates:
  # of the old service
  publicKeys:
    # ${keys.fingerprint.replace(/=$/, '')}
    - |
${pem}notification:
  type: slack
  webhook: https://hooks.slack.com/services/T0/B0/x
service:
  url: ${service.url}
`)
  })

  it('accepts all keys of a service that replaces its key', async () => {
    const next = makeKeys()
    service.keys = [keys, next]
    expect((await omen(['updates', 'trust', '-y', service.url])).status).toBe(0)
    service.rules = await makePackage('91.4.0')
    service.signer = next
    expect((await omen(['updates', 'install'])).status).toBe(0)
  })

  it('needs a terminal or -y', async () => {
    const { status, err } = await omen(['updates', 'trust', service.url])
    expect({ status, err }).toEqual({
      status: 2,
      err: 'Usage error: cannot ask without a terminal: compare the fingerprints, then use -y\n',
    })
  })

  it('does not change a config.yaml that is not valid', async () => {
    folder.write('config/config.yaml', 'skip: [\n')
    const { status, err } = await omen(['updates', 'trust', '-y', service.url])
    expect(status).toBe(1)
    expect(err).toMatch(/^Config error: /)
    expect(config()).toBe('skip: [\n')
  })

  it.each([
    ['a response that is not JSON', '<html>', 'this is not a list of release keys: is it an omen-server?'],
    ['another JSON object', '{"jwks": []}', 'this is not a list of release keys: is it an omen-server?'],
    ['an empty list', '{"keys": []}', 'it has no release key: its operator creates one with omen-server keys release'],
    ['a key that is not PEM', '{"keys": [{"pem": "x"}]}', 'the fingerprint of a release key is not that of the key'],
    [
      'a key that is a path',
      '{"keys": [{"pem": "/etc/passwd"}]}',
      'the fingerprint of a release key is not that of the key',
    ],
  ])('refuses %s', async (_, content, reason) => {
    service.handle = (__, response) => Boolean(response.end(content))
    expect(await omen(['updates', 'trust', '-y', service.url])).toMatchObject({
      status: 1,
      err: `Network error: 127.0.0.1:${service.port}: ${reason}\n`,
    })
  })

  it('refuses a key with the fingerprint or ID of another key', async () => {
    service.keys = [{ ...keys, fingerprint: makeKeys().fingerprint }]
    expect((await omen(['updates', 'trust', '-y', service.url])).err).toContain('is not that of the key')
    service.keys = [{ ...keys, id: makeKeys().id }]
    expect((await omen(['updates', 'trust', '-y', service.url])).err).toContain('is not that of the key')
  })

  it('does not accept keys from another machine over http:// without a question', async () => {
    const { status, err } = await omen(['updates', 'trust', '-y', 'http://omen.example.com'])
    expect(status).toBe(2)
    expect(err).toContain('may be forged')
  })

  it.each(['ftp://omen.example.com', 'https://', '::'])('refuses %s, which is not a service', async (url) => {
    expect(await omen(['updates', 'trust', '-y', url])).toMatchObject({
      status: 2,
      err: 'Usage error: the address of a service looks like https://omen.example.com\n',
    })
  })
})

describe('a service over TLS', () => {
  it('receives the token', async () => {
    const certificate = selfSigned('localhost')
    const secure = await startService(keys, certificate)
    try {
      const env = { NODE_EXTRA_CA_CERTS: folder.write('ca.pem', certificate.cert) }
      expect(await omen(['updates', 'trust', '-y', '-q', secure.url], env)).toEqual({ status: 0, out: '', err: '' })
      expect(secure.requests[0]?.headers.authorization).toBeUndefined()
      folder.write('config/.ruletoken', 'omen_secretToken1\n')
      secure.rules = await makePackage('91.4.0')
      expect(await omen(['updates', 'install', '-q'], env)).toEqual({ status: 0, out: '', err: '' })
      expect(secure.requests.slice(1).map(({ headers }) => headers.authorization)).toEqual(
        Array(4).fill('Bearer omen_secretToken1'),
      )
    } finally {
      await secure.close()
    }
  })

  it('with a self-signed certificate fails with a hint', async () => {
    const secure = await startService(keys, selfSigned('localhost'))
    try {
      expect(await omen(['updates', 'trust', '-y', secure.url])).toMatchObject({
        status: 1,
        err: `Network error: localhost:${secure.port}: its certificate is not trusted; set NODE_EXTRA_CA_CERTS to the file of your CA\n`,
      })
    } finally {
      await secure.close()
    }
  })
})
