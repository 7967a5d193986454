import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { tableOperations, useOperatorStage } from '../../../test/operator/stage.js'
import { makePair, signatureOf } from '../../../test/releases/stage.js'
import { Problem } from '../../problem.js'

const stage = useOperatorStage()
const pair = makePair()
const NAME = 'omen-public-cre-rules.1.4.0.9f2c4e6a8b0d.yaml.gz'

/** Writes a package with its companion files, and returns its path. */
function writePackage(bytes: Buffer): string {
  const path = join(stage.folder(), NAME)
  writeFileSync(path, bytes)
  writeFileSync(`${path}.sha256`, `${createHash('sha256').update(bytes).digest('hex')}  ${NAME}\n`)
  writeFileSync(`${path}.sig`, signatureOf(pair, bytes))
  return path
}

describe('through the admin socket', () => {
  test('a file is sent in pieces of 256 KiB, then published with the given options', async () => {
    const calls: [string, { bytes?: string; number?: number }][] = []
    await stage.serve(tableOperations(calls))
    const bytes = Buffer.alloc(600_000, 'omen')
    const options = { org: 'Acme', notes: 'New.', backport: true }
    const { out } = await stage.run({ verb: 'rules publish', file: writePackage(bytes), json: false, ...options })
    expect(out).toBe(`Published version 1.4.0 of rules to everybody:\n  ${NAME}\n`)
    expect(calls.map(([name]) => name)).toEqual(['beginUpload', 'addChunk', 'addChunk', 'addChunk', 'publishRules'])
    const pieces = calls
      .filter(([name]) => name === 'addChunk')
      .map(([, { bytes: text = '' }]) => Buffer.from(text, 'base64'))
    expect(pieces.map(({ length }) => length)).toEqual([262_144, 262_144, 75_712])
    expect(Buffer.concat(pieces).equals(bytes)).toBe(true)
    const signature = readFileSync(join(stage.folder(), `${NAME}.sig`)).toString('base64')
    expect(calls.at(-1)?.[1]).toEqual({ upload: 'u1', name: NAME, signature, ...options })
  })

  test('hundreds of pieces all arrive', async () => {
    const calls: [string, unknown][] = []
    await stage.serve(tableOperations(calls))
    const file = join(stage.folder(), 'omen-0.3.0-linux-x64')
    const bytes = Buffer.alloc(300 * 262_144, 7)
    writeFileSync(file, bytes)
    writeFileSync(`${file}.sig`, signatureOf(pair, bytes))
    await stage.run({ verb: 'tool publish', files: [file], json: true })
    expect(calls.filter(([name]) => name === 'addChunk')).toHaveLength(300)
  })

  test.each([
    ['tool list', { kind: 'tool' }, 'listReleases'],
    ['rules list', { kind: 'rules' }, 'listReleases'],
  ] as const)('%s prints a table', async (verb, argument, name) => {
    const calls: unknown[] = []
    await stage.serve(tableOperations(calls))
    const { out } = await stage.run({ verb, json: false })
    expect(out).toContain('VERSION  FOR        STATE')
    expect(out).toContain('1.4.0    everybody  published  2026-02-01 10:00:00')
    expect(calls).toEqual([[name, argument]])
  })

  test('withdraw and retire say what to do next', async () => {
    await stage.serve(tableOperations())
    const withdrawn = await stage.run({ verb: 'rules withdraw', version: '1.4.0', org: 'Acme', json: false })
    expect(withdrawn.out).toMatch(/^Withdrew version 1\.4\.0\. .*publish a higher version/)
    const retired = await stage.run({ verb: 'keys release', retire: '8e1f0a2b3c4d5e6f', json: false })
    expect(retired.out).toMatch(/^Retired the release key .*\n2 files are still offered with its signature/)
    const listed = await stage.run({ verb: 'keys release', list: true, json: false })
    expect(listed.out).toContain('8e1f0a2b3c4d5e6f  all releases  current')
  })

  test('a token is shown once, with its scopes, and lists show the state of each', async () => {
    const calls: unknown[] = []
    await stage.serve(tableOperations(calls))
    const request = { org: 'Acme', name: 'ci', scope: 'rules:read', expires: '2026-12-31' }
    const { out } = await stage.run({ verb: 'token issue', ...request, json: false })
    expect(out).toMatch(/^Token {4}omen_abc\n/)
    expect(calls).toEqual([['issueToken', request]])
    expect((await stage.run({ verb: 'token list', json: false })).out).toContain(
      't1  Acme          ci    rules:read  active',
    )
    expect((await stage.run({ verb: 'token revoke', token: 't1', json: false })).out).toBe(
      'Revoked the token t1 (ci) of Acme.\n',
    )
    const past = stage.run({ verb: 'token issue', ...request, expires: '2020-01-01', json: false })
    await expect(past).rejects.toThrow('no token was issued')
  })
})

describe('the command keys release', () => {
  test('writes a key pair that only its owner can read, and registers the public key', async () => {
    const calls: [string, { pem: string }][] = []
    await stage.serve(tableOperations(calls))
    const out = join(stage.folder(), 'keys')
    await stage.run({ verb: 'keys release', out, json: false })
    const [privateFile = '', publicFile = ''] = readdirSync(out).sort()
    expect([privateFile, publicFile]).toEqual([
      expect.stringMatching(/^omen-release-[0-9a-f]{16}\.pem$/),
      expect.stringMatching(/^omen-release-[0-9a-f]{16}\.pub\.pem$/),
    ])
    expect((statSync(join(out, privateFile)).mode & 0o777).toString(8)).toBe('600')
    expect(calls).toEqual([['addReleaseKey', { pem: readFileSync(join(out, publicFile), 'utf8') }]])
    expect(readFileSync(join(out, privateFile), 'utf8')).toMatch(/^-----BEGIN PRIVATE KEY-----/)
  })

  test('removes a key pair that could not be registered', async () => {
    const addReleaseKey = () => Promise.reject(new Problem('unavailable', 'The database is away.'))
    await stage.serve({ ...tableOperations(), addReleaseKey })
    const out = join(stage.folder(), 'keys')
    await expect(stage.run({ verb: 'keys release', out, json: false })).rejects.toThrow('The database is away.')
    expect(readdirSync(out)).toEqual([])
  })

  test.each([
    [{ add: 'a', list: true }, '--add and --list: use one of these flags at a time'],
    [{ org: 'Acme', list: true }, '--org can be combined with --add'],
  ])('rejects the options %j', async (options, message) => {
    await expect(stage.run({ verb: 'keys release', ...options, json: false })).rejects.toThrow(message)
  })
})

describe('before anything is sent,', () => {
  test.each([
    ['.sha256', 'there is no such file: pack again'],
    ['.sig', 'there is no such file: pack again with --key'],
    ['', 'there is no such file or folder'],
  ])('a package without its %s is rejected', async (ending, message) => {
    const path = writePackage(Buffer.from('x'))
    rmSync(`${path}${ending}`)
    await expect(stage.run({ verb: 'rules publish', file: path, json: false })).rejects.toThrow(message)
  })

  test('the hash of another file is rejected', async () => {
    const path = writePackage(Buffer.from('x'))
    writeFileSync(`${path}.sha256`, readFileSync(`${path}.sha256`, 'utf8').replace(NAME, 'other'))
    await expect(stage.run({ verb: 'rules publish', file: path, json: false })).rejects.toThrow(
      'does not contain the hash of',
    )
  })
})
