import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { hostname } from 'node:os'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { VERSION } from '../src/version.js'
import { LOG, RULES } from './example.js'
import { useFolder } from './omen.js'
import { listen, type Receiver, type ReceiverResponse, startReceiver } from './receiver.js'
import { useProcesses } from './running.js'

const folder = useFolder()
const processes = useProcesses()

/** The secret parts of the address, which must never be shown. */
const SECRETS = ['T0SECRET', 'B0SECRET', 'verySecret', 'alsoSecret', 'opensesame']
const PATH = '/services/T0SECRET/B0SECRET/verySecret?token=alsoSecret'

let receiver: Receiver
beforeEach(() => {
  folder.remove('work')
  folder.write('rules.yaml', RULES)
  folder.write('work/app.log', LOG)
})
afterEach(async () => {
  await receiver.close()
  folder.remove('config/config.yaml')
})

async function receive(...responses: ReceiverResponse[]): Promise<void> {
  receiver = await startReceiver(...responses)
}

function configure(type: string, webhook = `http://127.0.0.1:${receiver.port}${PATH}`): void {
  folder.write('config/config.yaml', `notification:\n  type: ${type}\n  webhook: ${webhook}\n`)
}

/** Runs the tool asynchronously, because the webhook in this process has to respond. */
async function omen(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const options = { cwd: folder.path('work'), env: folder.environment(env) }
  const run = processes.omen(['-d', '-r', '../rules.yaml', ...args], options)
  run.endInput()
  const ended = await run.ended
  for (const secret of SECRETS) expect(ended.out + ended.err).not.toContain(secret)
  return ended
}

const bodies = () => receiver.requests.map(({ body }) => JSON.parse(body))
const reports = () => readdirSync(folder.path('work')).filter((name) => name.endsWith('.json'))

const FIRST = '2026-03-01T12:00:02.5Z'
const SECOND = '2026-03-01T12:00:01Z'
const HEADING = `nightly: 2 problems on ${hostname()}`
/** Escapes the characters of a host name that have a meaning in Markdown. */
const MARKDOWN_HEADING = expect.stringMatching(/^\*\*nightly: 2 problems on .+\*\*/)

describe('a message', () => {
  it('to Slack has text and blocks', async () => {
    await receive()
    configure('slack')
    expect(await omen(['-q', '-o', 'nightly: ', 'app.log'])).toEqual({ status: 0, out: '', err: '' })
    const text = [
      `*${HEADING}*`,
      `🔴 *TEST-0002* critical [1 hit @ ${FIRST}]`,
      `🟡 *TEST-0001* medium Disk full [2 hits @ ${SECOND}]`,
    ].join('\n')
    expect(bodies()).toEqual([
      {
        text,
        blocks: [{ type: 'section', text: { type: 'mrkdwn', text, verbatim: true } }],
        unfurl_links: false,
        unfurl_media: false,
      },
    ])
    expect(receiver.requests[0]).toMatchObject({
      method: 'POST',
      path: PATH,
      headers: { 'content-type': 'application/json', 'user-agent': `omen/${VERSION}` },
    })
  })

  it('to Mattermost is a single text', async () => {
    await receive()
    configure('mattermost')
    await omen(['-q', '-o', 'nightly: ', 'app.log'])
    const [{ text, ...rest }] = bodies()
    expect(rest).toEqual({})
    expect(text).toEqual(MARKDOWN_HEADING)
    expect(text.replaceAll('\\', '').split('\n').slice(1)).toEqual([
      '',
      `- 🔴 **TEST-0002** critical [1 hit @ ${FIRST}]`,
      `- 🟡 **TEST-0001** medium Disk full [2 hits @ ${SECOND}]`,
    ])
  })

  it('to Discord is an embed in the colour of the highest severity, without mentions', async () => {
    await receive({ status: 204 })
    configure('discord')
    await omen(['-q', '-o', 'nightly: ', 'app.log'])
    const [{ embeds, ...rest }] = bodies()
    expect(rest).toEqual({ content: MARKDOWN_HEADING, allowed_mentions: { parse: [] } })
    expect(embeds).toHaveLength(1)
    expect(embeds[0].color).toBe(0xd9_2d_20)
    expect(embeds[0].description.replaceAll('\\', '').split('\n')).toEqual([
      `🔴 **TEST-0002** critical [1 hit @ ${FIRST}]`,
      `🟡 **TEST-0001** medium Disk full [2 hits @ ${SECOND}]`,
    ])
  })

  it('to Teams is an Adaptive Card', async () => {
    await receive({ status: 202 })
    configure('teams')
    await omen(['-q', '-o', 'nightly: ', 'app.log'])
    const [{ type, attachments }] = bodies()
    expect(type).toBe('message')
    expect(attachments).toHaveLength(1)
    const [{ contentType, content }] = attachments
    expect(contentType).toBe('application/vnd.microsoft.card.adaptive')
    expect(content).toMatchObject({ type: 'AdaptiveCard', version: '1.4' })
    const lines = content.body.map(({ inlines }: { inlines: { text: string }[] }) =>
      inlines.map(({ text }) => text).join(''),
    )
    expect(lines).toEqual([
      HEADING,
      `TEST-0002 critical [1 hit @ ${FIRST}]`,
      `TEST-0001 medium Disk full [2 hits @ ${SECOND}]`,
    ])
  })

  it('to a custom server is JSON, with the password of the address in a header', async () => {
    await receive()
    configure('webhook', `http://omen:opensesame@127.0.0.1:${receiver.port}/hook`)
    await omen(['-q', '-o', 'report.json', 'app.log'])
    expect(bodies()).toEqual([
      {
        version: 1,
        tool: `omen ${VERSION}`,
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        prefix: '',
        host: hostname(),
        report: 'report.json',
        summary: { problems: 2, hits: 3, critical: 1, high: 0, medium: 1, low: 0, info: 0 },
        problems: [
          { id: 'TEST-0002', severity: 'critical', hits: 1, first: FIRST },
          { id: 'TEST-0001', severity: 'medium', title: 'Disk full', hits: 2, first: SECOND },
        ],
      },
    ])
    const authorization = `Basic ${Buffer.from('omen:opensesame').toString('base64')}`
    expect(receiver.requests[0]).toMatchObject({ path: '/hook', headers: { authorization } })
  })

  it('is not sent if nothing was found', async () => {
    await receive()
    configure('slack')
    folder.write('work/quiet.log', '2026-03-01T12:00:01Z all is well\n')
    expect((await omen(['-o', 'nightly: ', 'quiet.log'])).status).toBe(0)
    expect((await omen(['-o', '', '--since', '2026-03-02', 'app.log'])).status).toBe(0)
    expect(receiver.requests).toEqual([])
    expect(reports()).toEqual([])
  })
})

describe('in addition to the message', () => {
  it.each([
    ['a prefix', ['-o', 'nightly: '], []],
    ['a prefix that ends in a colon', ['-o', 'nightly:'], []],
    ['an empty name', ['-o', ''], []],
    ['standard output', ['-o', '-'], []],
    ['a name', ['-o', 'report.json'], ['report.json']],
    ['nothing', [], [expect.stringMatching(/^omen-report-\d+\.json$/)]],
  ])('the report goes to the target of -o: %s', async (_, flags, expected) => {
    await receive()
    configure('slack')
    expect(await omen([...flags, 'app.log'])).toMatchObject({ status: 0, err: '' })
    expect(reports()).toEqual(expected)
    expect(receiver.requests).toHaveLength(1)
    expect(bodies()[0].text.includes('Report:')).toBe(expected.length > 0)
    expect(bodies()[0].text.includes('nightly:')).toBe(flags[1]?.startsWith('nightly') ?? false)
  })

  it('the message is sent even if the report cannot be written', async () => {
    await receive()
    configure('webhook')
    const { status, out, err } = await omen(['-o', '/dev/full', 'app.log'])
    expect(status).toBe(1)
    expect(out).toMatch(/\nTEST-0001 medium \[2 hits .*\]\n$/)
    expect(err).toMatch(/^Output error: \/dev\/full: the disk is full; [^\n]*\n$/)
    expect(bodies()).toMatchObject([{ summary: { problems: 2 } }])
    expect(bodies()[0]).not.toHaveProperty('report')
  })
})

describe('a webhook that fails', () => {
  it('temporarily is retried', async () => {
    await receive({ status: 503, headers: { 'retry-after': '0' } }, { status: 200 })
    configure('slack')
    expect(await omen(['-q', '-o', 'nightly: ', 'app.log'])).toEqual({ status: 0, out: '', err: '' })
    expect(receiver.requests).toHaveLength(2)
    expect(receiver.requests[0]?.body).toBe(receiver.requests[1]?.body)
    expect(reports()).toEqual([])
  })

  it('permanently causes exit code 1, and the report of a labelled message goes to the default file', async () => {
    await receive({ status: 500 }, 'reset', { status: 404, body: 'no_team verySecret' })
    configure('slack')
    const { status, out, err } = await omen(['-o', 'nightly: ', 'app.log'])
    expect(status).toBe(1)
    expect(err).toMatch(
      /^Network error: notification to slack at 127\.0\.0\.1:\d+ failed after 3 attempts: HTTP 404; [^\n]*\n$/,
    )
    const [name = ''] = reports()
    expect(out).toMatch(new RegExp(`\\nWrote report to ${name}\\n$`))
    expect(JSON.parse(readFileSync(folder.path(`work/${name}`), 'utf8'))).toHaveLength(2)
  })

  it('causes exit code 1 with -q and --fail-on as well, and the report is written', async () => {
    await receive({ status: 403, body: 'invalid_token' })
    configure('slack')
    const { status, out, err } = await omen(['-q', '-o', 'report.json', '--fail-on', 'info', 'app.log'])
    expect({ status, out }).toEqual({ status: 1, out: '' })
    expect(err).toMatch(/^Network error: .*HTTP 403; invalid_token; check notification\.webhook\n$/)
    expect(reports()).toEqual(['report.json'])
  })

  it('is never shown with its address, at any log level', async () => {
    await receive({ status: 503, headers: { 'retry-after': '0' }, body: PATH }, { status: 400, body: `bad ${PATH}` })
    configure('slack')
    const { status, err } = await omen(['-l', 'trace', '-o', 'nightly: ', 'app.log'])
    expect(status).toBe(1)
    expect(err).toMatch(/ DBG deliver\.ts:\d+ > notification failed, will retry host=127\.0\.0\.1:\d+ /)
    expect(err).toMatch(/\nNetwork error: .*HTTP 400\n$/)
  })

  it('with an invalid address is a configuration error that does not show it', async () => {
    await receive()
    configure('slack', 'htps://hooks.example.test/T0SECRET/verySecret')
    const { status, out, err } = await omen(['-o', '', 'app.log'])
    expect({ status, out }).toEqual({ status: 1, out: '' })
    expect(err).toMatch(/^Config error: \S+config\.yaml:3:\d+: [^\n]*webhook[^\n]*\n$/)
  })
})

describe('a proxy in the environment', () => {
  const PROXIED_URL = 'http://hooks.example.test/services/verySecret'

  it.each(['HTTP_PROXY', 'http_proxy'])('forwards the message: %s', async (name) => {
    await receive()
    configure('slack', PROXIED_URL)
    const { status, err } = await omen(['-q', '-o', '', 'app.log'], { [name]: `http://127.0.0.1:${receiver.port}` })
    expect({ status, err }).toEqual({ status: 0, err: '' })
    expect(receiver.requests.map(({ path }) => path)).toEqual([PROXIED_URL])
  })

  it('opens a tunnel to https:// addresses, and its error is reported', async () => {
    const tunnels: string[] = []
    const server = createServer().on('connect', ({ url = '' }, socket) => {
      tunnels.push(url)
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
    })
    const proxy = await listen(server)
    await receive()
    configure('slack', 'https://hooks.example.test/services/verySecret')
    const { status, err } = await omen(['-q', '-o', '', 'app.log'], { HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` })
    expect(status).toBe(1)
    expect(err).toBe(
      'Network error: notification to slack at hooks.example.test failed: the proxy refused the request (HTTP 403)\n',
    )
    expect(tunnels).toEqual(['hooks.example.test:443'])
    await proxy.close()
  })

  it('is not used for the hosts in NO_PROXY', async () => {
    await receive()
    configure('slack')
    const env = { HTTP_PROXY: 'http://127.0.0.1:9', NO_PROXY: '127.0.0.1' }
    expect(await omen(['-q', '-o', '', 'app.log'], env)).toEqual({ status: 0, out: '', err: '' })
    expect(receiver.requests.map(({ path }) => path)).toEqual([PATH])
  })
})
