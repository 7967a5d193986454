import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import { type OmenServer, type Outcome, useOmen } from './omen-server.js'

/** The tool as built. */
const TOOL = fileURLToPath(new URL('../../cli/dist/omen.js', import.meta.url))

const service = useOmen()
let running: OmenServer
let token = ''

/** Runs the tool on one line of a log, or with another command. */
function omen(args: readonly string[], line = ''): Promise<Outcome> {
  const env = { ...process.env, OMEN_CONFIG_DIR: service.path('config'), TZ: 'UTC' }
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [TOOL, ...args], { env, cwd: service.path('.') }, (error, out, err) =>
      resolve({ status: error ? (error.code as number) : 0, out, err }),
    )
    child.stdin!.end(line)
  })
}

const command = async (...args: string[]) => {
  const { status, out, err } = await service.run([...args, '--json'])
  if (status !== 0) throw new Error(err)
  return JSON.parse(out)
}

function writeRule(folder: string, id: string, word: string): void {
  mkdirSync(service.path(folder))
  const rule = `{set: {event: {source: cre.log.app}, match: [${JSON.stringify(word)}]}}`
  writeFileSync(service.path(join(folder, 'rule.yaml')), `rules:\n  - cre: {id: ${id}}\n    rule: ${rule}\n`)
}

/** Packs and signs rules, and publishes them for all users or for an organization. */
async function publish(folder: string, version: string, ...forWhom: string[]): Promise<void> {
  const [key] = readdirSync(service.path('keys')).filter((name) => !name.endsWith('.pub.pem'))
  const kind = forWhom.length > 0 ? ['--private'] : []
  const { file } = await command('rules', 'pack', folder, '--version', version, '--key', `keys/${key}`, ...kind)
  await command('rules', 'publish', file, ...forWhom)
}

describe('a tool that trusts a service', () => {
  beforeAll(async () => {
    await service.copyPreparedDatabase('omen-data')
    running = await service.serve([])
    await command('keys', 'release', '--out', 'keys')
    writeRule('rules', 'FLOOD-0001', 'water in the cellar')
    writeRule('own', 'ACME-0001', 'shop closed')
    await publish('rules', '91.0.0')
    token = (await command('token', 'issue', '--org', 'Acme', '--name', 'tool')).token
    await publish('own', '0.1.0', '--org', 'Acme')
    // The public URL of the service: the tool does not download files from another host.
    const trusted = await omen(['updates', 'trust', running.url.replace('127.0.0.1', 'localhost'), '-y'])
    expect(trusted).toMatchObject({ status: 0, err: '' })
  })

  test('reports new rules, and installs them with -y', async () => {
    const line = '2026-11-15T00:00:00Z water in the cellar\n'
    // A scan waits only 300 ms for the response, which can be too short on a busy machine: this command waits for it.
    expect(await omen(['updates', 'check'])).toMatchObject({ status: 0, err: '' })
    expect((await omen(['-o', ''], line)).out).toContain('Rules 91.0.0 are available')
    const { status, out, err } = await omen(['-y', '-o', ''], line)
    expect([status, err]).toEqual([0, ''])
    expect(out).toContain('Installed rules 91.0.0\n')
    expect(out).toContain('FLOOD-0001 critical [1 hits @ 2026-11-15T00:00:00Z]\n')
  })

  test('gets the rules of its organization with a token, in addition to the public ones', async () => {
    writeFileSync(service.path('config/.ruletoken'), `${token}\n`, { mode: 0o600 })
    expect(await omen(['updates', 'install'])).toMatchObject({ status: 0, err: '' })
    const { out } = await omen(['-o', ''], '2026-11-15T00:00:00Z shop closed: water in the cellar\n')
    expect(out).toContain('ACME-0001 critical')
    expect(out).toContain('FLOOD-0001 critical')
  })

  test('contains the same schema of rule documents as the service', async () => {
    const served = await fetch(`${running.url}/v1/rules/schema.json`)
    expect(await served.json()).toEqual(JSON.parse((await omen(['rules', 'schema'])).out))
  })

  test('rejects rules that were signed with a key that it does not trust', async () => {
    await command('keys', 'release', '--out', 'other-keys')
    const [key] = readdirSync(service.path('other-keys')).filter((name) => !name.endsWith('.pub.pem'))
    const { file } = await command('rules', 'pack', 'rules', '--version', '92.0.0', '--key', `other-keys/${key}`)
    await command('rules', 'publish', file)
    const { status, err } = await omen(['updates', 'install'])
    expect(status).toBe(1)
    expect(err).toContain('is not signed with a trusted key')
    expect((await omen(['updates', 'check', '--json'])).out).toContain('"installed": "91.0.0"')
  })
})
