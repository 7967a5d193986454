import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { bundledVersion } from '../src/rules/loading/community-rules.js'
import { program, useFolder } from './omen.js'
import {
  clearConfiguration,
  type KeyPair,
  makeKeys,
  makePackage,
  type ReleaseService,
  startService,
  trusting,
} from './release-service.js'
import { useProcesses } from './running.js'
import { openTerminal, shown, type Terminal } from './terminal.js'

const folder = useFolder()
const processes = useProcesses()

/** The version of the rules that come with the tool. */
const BUNDLED = bundledVersion()!

let keys: KeyPair
let service: ReleaseService
let terminal: Terminal | undefined
beforeEach(async () => {
  keys = makeKeys()
  service = await startService(keys)
  clearConfiguration(folder.path('config'))
  folder.write('app.log', '2026-03-01T12:00:01Z disk full\n')
  folder.write('config/config.yaml', trusting(service.url, [keys]))
  service.rules = await makePackage('91.4.0', { notes: 'Kafka and etcd' })
})
afterEach(async () => {
  terminal?.close()
  terminal = undefined
  await service.close()
})

const OMEN = `'${process.execPath}' '${program}'`

/** Runs a shell command on a terminal, in which `omen` is the built tool. */
function open(line: string, columns = 100): Terminal {
  const env = { OMEN_CONFIG_DIR: folder.path('config') }
  terminal = openTerminal(['sh', '-c', line.replaceAll('omen', OMEN)], { cwd: folder.path('.'), env, columns })
  return terminal
}

/** Makes a check, so that the rest of the test does not depend on the speed of the service. */
async function check(): Promise<void> {
  const run = processes.omen(['updates', 'check'], { cwd: folder.path('.'), env: folder.environment() })
  expect((await run.ended).status).toBe(0)
}

const state = () => JSON.parse(readFileSync(folder.path('config/updates.json'), 'utf8'))
const QUESTION = /^Update rules \S+ → 91\.4\.0 \(\d+ B\): Kafka and etcd \[Y\/n\]/

describe('a scan on a terminal', () => {
  it('asks about newer rules, and uses them after a yes', async () => {
    await check()
    const on = open('omen -o "" app.log')
    expect(await shown(on, /\[Y\/n\]/)).toMatch(QUESTION)
    on.type('Enter')
    expect(await on.ended()).toBe(0)
    expect(on.lines()).toContain('Installed rules 91.4.0')
    expect(on.lines().join('\n')).toContain('CRE-2026-90001 high [1 hits')
  })

  it('asks even if standard input is a pipe with the log', async () => {
    await check()
    const on = open('cat app.log | omen -o ""')
    await shown(on, QUESTION)
    on.type('y', 'Enter')
    expect(await on.ended()).toBe(0)
    expect(on.lines().join('\n')).toContain('CRE-2026-90001 high [1 hits')
  })

  it('stores a no for that version, until there is another one or -y is used', async () => {
    await check()
    let on = open('omen -o "" app.log')
    await shown(on, QUESTION)
    on.type('n', 'Enter')
    expect(await on.ended()).toBe(0)
    expect(on.lines().join('\n')).not.toContain('Installed')
    on.close()
    on = open('omen -o "" app.log')
    expect(await on.ended()).toBe(0)
    expect(on.lines().join('\n')).not.toMatch(/91\.4\.0/)
    on.close()
    expect(state()).toMatchObject({ news: 'declined', declined: { rules: '91.4.0' } })
    service.rules = await makePackage('91.5.0')
    await check()
    on = open('omen -o "" app.log')
    await shown(on, /^Update rules \S+ → 91\.5\.0 .*\[Y\/n\]/)
    on.type('no', 'Enter')
    await on.ended()
    on.close()
    on = open('omen -y -o "" app.log')
    expect(await on.ended()).toBe(0)
    expect(on.lines()).toContain('Installed rules 91.5.0')
  })

  it('asks again after an invalid answer, and treats an end of file as no answer', async () => {
    await check()
    const on = open('omen -o "" app.log')
    await shown(on, QUESTION)
    on.type('perhaps', 'Enter')
    await shown(on, /\[Y\/n\] perhaps/)
    on.type('C-d')
    expect(await on.ended()).toBe(0)
    expect(on.lines().filter((line) => QUESTION.test(line))).toHaveLength(2)
    expect(on.lines()).toContain(`Rules 91.4.0 are available (${BUNDLED} is installed): omen updates install`)
    expect(state().declined).toBeUndefined()
  })

  it('ends with Ctrl-C at the question', async () => {
    await check()
    const on = open('omen -o "" app.log')
    await shown(on, QUESTION)
    on.type('C-c')
    expect(await on.ended()).toBe(130)
  })

  it('does not ask with -q, with a pipe as its output, or without a terminal', async () => {
    await check()
    let on = open('omen -q -o "" app.log')
    expect(await on.ended()).toBe(0)
    expect(on.lines()).toEqual([])
    on.close()
    on = open('omen -o "" app.log | cat')
    expect(await on.ended()).toBe(0)
    expect(on.lines()[0]).toBe(`Rules 91.4.0 are available (${BUNDLED} is installed): omen updates install`)
    on.close()
    on = open('cat app.log | setsid -w omen -o ""')
    expect(await on.ended()).toBe(0)
    expect(on.lines()[0]).toBe(`Rules 91.4.0 are available (${BUNDLED} is installed): omen updates install`)
  })

  it('shows the question in one line of a narrow window, whatever the notes are', async () => {
    service.rules = await makePackage('91.4.0', { notes: '\u001b]0;owned\u0007 very long notes '.repeat(20) })
    await check()
    const on = open('omen -o "" app.log', 60)
    await shown(on, /\[Y\/n\]/)
    expect(on.lines()).toHaveLength(1)
    expect(on.title).not.toContain('owned')
    on.type('Enter')
    expect(await on.ended()).toBe(0)
  })

  it('shows a live line while it downloads, and the cursor again after Ctrl-C', async () => {
    const fresh = await makePackage('91.4.0', { random: 100_000 })
    service.rules = fresh
    await check()
    service.handle = (request, response) => {
      if (!request.url?.endsWith('.gz')) return false
      response.writeHead(200, { 'content-length': fresh.bytes.length }).write(fresh.bytes.subarray(0, 50_000))
      return true
    }
    const on = open('omen -y -o "" app.log')
    await shown(on, /Downloading rules 91\.4\.0 .*━+─+ +\d\d% +50\.0 kB/)
    on.type('C-c')
    expect(await on.ended()).toBe(130)
    // The terminal shows ^C, unless the tool draws its line again before it receives the signal.
    expect(on.lines().filter((line) => line !== '' && line !== '^C')).toEqual([])
    expect(on.isCursorVisible).toBe(true)
  })
})

describe('omen updates trust on a terminal', () => {
  it('shows the fingerprints, asks, and writes the keys', async () => {
    folder.remove('config')
    const on = open(`omen updates trust ${service.url}`)
    await shown(on, /^Trust these keys\? \[y\/N\]/)
    expect(on.lines().slice(0, 2)).toEqual([
      `127.0.0.1:${service.port} signs its releases with`,
      `  ${keys.fingerprint.replace(/=$/, '')}`,
    ])
    on.type('y', 'Enter')
    expect(await on.ended()).toBe(0)
    expect(readFileSync(folder.path('config/config.yaml'), 'utf8')).toContain(`url: ${service.url}\n`)
  })

  it('changes nothing without a clear yes', async () => {
    const before = readFileSync(folder.path('config/config.yaml'), 'utf8')
    const on = open(`omen updates trust ${service.url}`)
    await shown(on, /^Trust these keys\? \[y\/N\]/)
    expect(on.lines()[1]).toMatch(/\(already trusted\)$/)
    on.type('Enter')
    expect(await on.ended()).toBe(1)
    expect(on.lines()).toContain('Nothing was changed.')
    expect(readFileSync(folder.path('config/config.yaml'), 'utf8')).toBe(before)
  })
})
