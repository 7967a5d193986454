import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type OmenServer, type RunOptions, useOmen } from './omen-server.js'
import { usePostgres } from './postgres.js'
import { makePair, ruleDocument, signatureOf } from './releases/stage.js'
import { makeScene } from './scene.js'

const omen = useOmen()
const postgres = usePostgres()
const execute = promisify(execFile)

const ENGINES: readonly [string, () => Promise<RunOptions>][] = [
  ['the embedded database', async () => ({})],
  ['PostgreSQL', async () => ({ env: { DATABASE_URL: await postgres.createDatabase() } })],
]

/** Writes a folder of rules, and returns its name. */
function writeRules(name: string, { word = 'disk is full', version = '1.0.0' } = {}): string {
  mkdirSync(omen.path(join(name, 'one')), { recursive: true })
  writeFileSync(omen.path(join(name, 'one/rule.yaml')), ruleDocument(word))
  const notes = `    notes: What ${version} brings.\n`
  writeFileSync(omen.path(join(name, 'package.yaml')), `section: version\ncontent:\n  - version: ${version}\n${notes}`)
  return name
}

/** Packs rules and returns the path of the package. */
async function pack(...args: string[]): Promise<string> {
  const { status, out, err } = await omen.run(['rules', 'pack', ...args, '--json'])
  if (status !== 0) throw new Error(err)
  return JSON.parse(out).file
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

describe('rules pack', () => {
  test('makes reproducible files that sha256sum and openssl accept, and says when the package is not signed', async () => {
    const pair = makePair()
    writeFileSync(omen.path('release.pem'), pair.privatePem)
    writeFileSync(omen.path('release.pub.pem'), pair.publicKey.pem)
    const rules = writeRules('packed')
    const file = await pack(rules, '--key', 'release.pem', '--out', 'packages')
    const name = file.slice('packages/'.length)
    expect(name).toBe(`omen-public-cre-rules.1.0.0.${sha256(readFileSync(omen.path(file))).slice(0, 12)}.yaml.gz`)
    const inPackages = { cwd: omen.path('packages') }
    expect((await execute('sha256sum', ['-c', `${name}.sha256`], inPackages)).stdout).toBe(`${name}: OK\n`)
    const verify = ['dgst', '-sha256', '-verify', '../release.pub.pem', '-signature', `${name}.sig`, name]
    expect((await execute('openssl', verify, inPackages)).stdout).toBe('Verified OK\n')

    const again = await omen.run(['rules', 'pack', rules, '--out', 'again'])
    expect(again).toMatchObject({ status: 0, err: '' })
    expect(again.out).toContain('It is not signed')
    expect(readdirSync(omen.path('again'))).toEqual([name, `${name}.sha256`])
    expect(readFileSync(omen.path(`again/${name}`)).equals(readFileSync(omen.path(file)))).toBe(true)
  })

  test('accepts a version and a channel, and needs no database', async () => {
    const file = await pack(writeRules('own'), '--version', '2.0.0-rc.1', '--private', '--out', 'own-packages')
    expect(file).toMatch(/^own-packages\/omen-private-cre-rules\.2\.0\.0-rc\.1\.[0-9a-f]{12}\.yaml\.gz$/)
    expect(readdirSync(omen.path('.'))).not.toContain('omen-data')
  })

  test.each([
    [['nowhere'], 1, /^Operator error: nowhere: there is no such file or folder\n$/],
    [['broken'], 1, /^Operator error: broken\/rule\.yaml:\d+:\d+: /],
    [['broken', '--version', 'v1'], 2, /^Usage error: --version: "v1" is not a version/],
    [['broken', '--key', 'release.pub.pem'], 1, /^Operator error: release\.pub\.pem: not a private key/],
  ])('%j ends with %i', async (args, status, message) => {
    mkdirSync(omen.path('broken'), { recursive: true })
    writeFileSync(omen.path('broken/rule.yaml'), 'rules:\n  - cre: {id: X}\n')
    const outcome = await omen.run(['rules', 'pack', ...args])
    expect(outcome).toMatchObject({ status, out: '' })
    expect(outcome.err).toMatch(message)
  })
})

describe.each(ENGINES)('releases on %s', (engine, makeOptions) => {
  const data = `releases-${engine.replaceAll(' ', '-')}`
  let scene: ReturnType<typeof makeScene>
  let options: RunOptions
  let server: OmenServer
  let key = ''
  beforeAll(async () => {
    options = await makeOptions()
    scene = makeScene(omen, data, options)
    server = await scene.serve()
    const made = await scene.command<{ privateKey: string; id: string }>('keys', 'release', '--out', `${data}-keys`)
    key = made.privateKey
    expect((statSync(omen.path(key)).mode & 0o777).toString(8)).toBe('600')
  })
  afterAll(() => server.stop())
  const get = (path: string, headers: Record<string, string> = {}) => fetch(`${server.url}${path}`, { headers })
  const latest = async (headers = {}) => JSON.parse(await (await get('/v1/rules/latest', headers)).text())
  const publish = (file: string, ...args: string[]) => scene.command('rules', 'publish', file, ...args)

  test('a package is published while the server runs, announced, and downloaded as a whole and as a range', async () => {
    expect(await latest()).toEqual({})
    const file = await pack(writeRules(`${data}-rules`), '--key', key, '--out', `${data}-out`)
    const bytes = readFileSync(omen.path(file))
    expect(await publish(file)).toMatchObject({ outcome: 'published', notes: 'What 1.0.0 brings.' })
    const { rules } = await latest()
    expect(rules).toMatchObject({ version: '1.0.0', size: bytes.length, sha256: sha256(bytes) })
    const path = new URL(rules.url).pathname
    const whole = await get(path)
    expect(bytes.equals(Buffer.from(await whole.arrayBuffer()))).toBe(true)
    const rest = await get(path, { range: 'bytes=100-', 'if-range': whole.headers.get('etag')! })
    expect([rest.status, bytes.subarray(100).equals(Buffer.from(await rest.arrayBuffer()))]).toEqual([206, true])
    const signature = Buffer.from(await (await get(`${path}.sig`)).arrayBuffer())
    expect(signature.equals(readFileSync(omen.path(`${file}.sig`)))).toBe(true)
    expect(await (await get(`${path}.sha256`)).text()).toBe(readFileSync(omen.path(`${file}.sha256`), 'utf8'))
  })

  test('a package that was changed after packing is rejected before anything is sent', async () => {
    const rules = writeRules(`${data}-changed`, { version: '1.1.0' })
    const file = await pack(rules, '--key', key, '--out', `${data}-out`)
    const bytes = readFileSync(omen.path(file))
    writeFileSync(omen.path(file), Buffer.concat([bytes, Buffer.from('x')]))
    await expect(publish(file)).rejects.toThrow(/its SHA-256 is [0-9a-f]{64}, and/)
    writeFileSync(omen.path(file), bytes)
    writeFileSync(omen.path(`${file}.sig`), signatureOf(makePair(), bytes))
    await expect(publish(file)).rejects.toThrow('was not made by a release key')
  })

  test('executables of several platforms are signed and published together', async () => {
    const platforms = ['linux-x64', 'darwin-arm64']
    const files = platforms.map((platform) => `omen-0.3.0-${platform}`)
    for (const [index, file] of files.entries())
      writeFileSync(omen.path(file), Buffer.alloc(700_000 + index, index + 1))
    await scene.command('tool', 'publish', ...files, '--key', key, '--notes', 'Fast.')
    const { tool } = await latest()
    expect(tool).toMatchObject({ version: '0.3.0', notes: 'Fast.' })
    for (const { platform, url, sha256: expected } of tool.files) {
      const bytes = Buffer.from(await (await get(new URL(url).pathname)).arrayBuffer())
      expect([sha256(bytes), bytes.equals(readFileSync(omen.path(`omen-0.3.0-${platform}`)))]).toEqual([expected, true])
    }
    expect(await scene.command('tool', 'withdraw', '0.3.0')).toMatchObject({ state: 'withdrawn' })
    expect((await latest()).tool).toBeUndefined()
  })

  test('an organization publishes a package with curl that only its own tokens can download', async () => {
    const issued = await scene.command<{ token: string; id: string }>(
      ...['token', 'issue', '--org', 'Acme', '--name', 'ci', '--scope', 'rules:read,rules:publish'],
    )
    const own = await scene.command<{ privateKey: string }>('keys', 'release', '--org', 'Acme', '--out', `${data}-keys`)
    const rules = writeRules(`${data}-private`, { version: '3.0.0' })
    const file = await pack(rules, '--key', own.privateKey, '--private', '--out', `${data}-out`)
    const name = file.split('/').at(-1)!
    const put = async (path: string, ...args: string[]) => {
      const signature = readFileSync(omen.path(`${path}.sig`)).toString('base64')
      const secrets = ['-H', `Authorization: Bearer ${issued.token}`, '-H', `Omen-Signature: ${signature}`]
      const address = `${server.url}/v1/rules/${path.split('/').at(-1)}`
      const line = ['-sS', '-w', '\n%{http_code}', '--upload-file', omen.path(path), ...secrets, ...args, address]
      const { stdout } = await execute('curl', line)
      const [body = '', status] = stdout.split(/\n(?=\d+$)/)
      return { status: Number(status), body: JSON.parse(body) }
    }
    expect(await put(file)).toMatchObject({ status: 201, body: { version: '3.0.0', file: name } })
    expect(await put(file, '-H', 'Expect: 100-continue')).toMatchObject({ status: 200 })
    const headers = { authorization: `Bearer ${issued.token}` }
    expect((await latest(headers)).private).toMatchObject({ version: '3.0.0' })
    expect((await latest()).private).toBeUndefined()
    expect((await get(`/v1/rules/${name}`)).status).toBe(404)
    expect((await get(`/v1/rules/${name}`, headers)).status).toBe(200)

    // A decompression bomb: small to send, large to unpack. It is rejected, and other requests are served.
    const bomb = gzipSync(Buffer.alloc(100 * 1024 * 1024, 'a'))
    const bombFile = `${data}-out/omen-private-cre-rules.4.0.0.${sha256(bomb).slice(0, 12)}.yaml.gz`
    writeFileSync(omen.path(bombFile), bomb)
    const sign = [
      'dgst',
      '-sha256',
      '-sign',
      omen.path(own.privateKey),
      '-out',
      omen.path(`${bombFile}.sig`),
      omen.path(bombFile),
    ]
    await execute('openssl', sign)
    expect(await put(bombFile)).toMatchObject({ status: 422, body: { code: 'invalid_package' } })

    await scene.command('token', 'revoke', issued.id)
    expect((await get('/v1/rules/latest', headers)).status).toBe(401)
    expect(server.err()).not.toContain(issued.token)
  })
})
