import { createServer } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { type Receiver, type ReceiverResponse, startReceiver } from '../../../test/receiver.js'
import { createLog } from '../../console/log.js'
import { Failure } from '../../failure.js'
import { VERSION } from '../../version.js'
import { type NotificationMessage, type NotifyDeps, notify } from './notify.js'

const SECRET = 'T0SECRET/B0SECRET/verySecret?token=alsoSecret'
const NOW = Date.parse('2026-03-01T12:00:00Z')

/** Enough for an attempt on a slow machine; tests about timeouts set another one. */
const LONG_DEADLINES = { deadline: 600_000, lastDeadline: 600_000 }

const message: NotificationMessage = {
  prefix: 'nightly: ',
  host: 'web-1',
  problems: [{ id: 'CRE-2026-0001', severity: 'critical', title: 'Disk full', hits: 3, first: '2026-03-01T11:59:01Z' }],
}

let receiver: Receiver | undefined
afterEach(async () => {
  await receiver?.close()
  receiver = undefined
})

/** Notifies a receiver that sends these responses; waits are only recorded. */
async function notifyReceiver(
  responses: readonly ReceiverResponse[],
  tools: Partial<NotifyDeps> = {},
  type = 'slack' as const,
) {
  receiver = await startReceiver(...responses)
  return notifyAt(`http://127.0.0.1:${receiver.port}/services/${SECRET}`, tools, type)
}

async function notifyAt(webhook: string, tools: Partial<NotifyDeps> = {}, type: 'slack' | 'teams' = 'slack') {
  const waits: number[] = []
  let logged = ''
  const write = (line: string) => {
    logged += line
  }
  const error = await notify({ type, webhook }, message, {
    env: {},
    log: createLog({ level: 'trace', write, clock: () => NOW, offset: () => 0 }),
    now: () => NOW,
    random: () => 0,
    sleep: async (milliseconds) => void waits.push(milliseconds),
    ...LONG_DEADLINES,
    ...tools,
  }).then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error !== undefined) expect(error).toBeInstanceOf(Failure)
  const failure = error as Failure | undefined
  return { waits, logged, failure, attempts: receiver?.requests.length ?? 0 }
}

describe('a notification', () => {
  test('is posted as JSON, once', async () => {
    const { failure, waits } = await notifyReceiver([])
    expect(failure).toBeUndefined()
    expect(waits).toEqual([])
    const { requests } = receiver!
    expect(requests).toHaveLength(1)
    expect(requests[0]).toMatchObject({ method: 'POST', path: `/services/${SECRET}` })
    expect(requests[0]!.headers).toMatchObject({ 'content-type': 'application/json', 'user-agent': `omen/${VERSION}` })
    expect(JSON.parse(requests[0]!.body).text).toBe(
      '*nightly: 1 problem on web-1*\n🔴 *CRE-2026-0001* critical Disk full [3 hits @ 2026-03-01T11:59:01Z]',
    )
  })

  test('is not sent when nothing was found', async () => {
    receiver = await startReceiver()
    const settings = { type: 'slack', webhook: `http://127.0.0.1:${receiver.port}/` } as const
    await notify(settings, { ...message, problems: [] }, { env: {}, log: { debug: () => {} } })
    expect(receiver.requests).toEqual([])
  })

  test('carries the user and password of the address in a header', async () => {
    receiver = await startReceiver()
    await notifyAt(`http://me:p%40ss@127.0.0.1:${receiver.port}/hook`)
    expect(receiver.requests[0]!.headers.authorization).toBe(`Basic ${Buffer.from('me:p@ss').toString('base64')}`)
  })

  test('needs an address', async () => {
    for (const webhook of ['', 'not an address', 'ftp://host/secret', 'file:///etc/passwd']) {
      const { failure } = await notifyAt(webhook)
      expect(failure?.kind).toBe('Config')
      expect(failure?.message).toBe('notification.webhook is not an http:// or https:// address')
    }
  })
})

describe('a notification is retried', () => {
  test('after server errors, with exponential backoff, at most five times', async () => {
    const { waits, failure, attempts } = await notifyReceiver([{ status: 500 }, { status: 502 }, { status: 503 }])
    expect(attempts).toBe(5)
    expect(waits).toEqual([1000, 2000, 4000, 8000])
    expect(failure?.message).toBe(
      `notification to slack at 127.0.0.1:${receiver!.port} failed after 5 attempts: HTTP 503`,
    )
    expect(failure?.kind).toBe('Network')
    expect(failure?.exitCode).toBe(1)
  })

  test('with random waits', async () => {
    const { waits } = await notifyReceiver([{ status: 500 }], { random: () => 1 })
    expect(waits).toEqual([500, 1000, 2000, 4000])
  })

  test.each([408, 429, 500, 503, 599])('after HTTP %i', async (status) => {
    const { failure, attempts } = await notifyReceiver([{ status }, { status: 200, body: 'ok' }])
    expect(failure).toBeUndefined()
    expect(attempts).toBe(2)
  })

  test('after a broken connection', async () => {
    const { failure, attempts } = await notifyReceiver(['reset', 'reset', { status: 200 }])
    expect(failure).toBeUndefined()
    expect(attempts).toBe(3)
  })

  test('when the service asks for it, after the time it asks for', async () => {
    const limited = (after: string): ReceiverResponse => ({ status: 429, headers: { 'Retry-After': after } })
    const inSeconds = await notifyReceiver([limited('3'), limited('0'), { status: 200 }])
    expect(inSeconds.waits).toEqual([3000, 2000])
    await receiver!.close()
    expect((await notifyReceiver([limited('2.5'), { status: 200 }])).waits).toEqual([2500])
    await receiver!.close()
    const onDate = await notifyReceiver([limited('Sun, 01 Mar 2026 12:00:07 GMT'), { status: 200 }])
    expect(onDate.waits).toEqual([7000])
    await receiver!.close()
    const unreadable = await notifyReceiver([limited('soon'), limited('-5'), { status: 200 }])
    expect(unreadable.waits).toEqual([1000, 2000])
    await receiver!.close()
    const inThePast = await notifyReceiver([limited('Sun, 01 Mar 2020 12:00:00 GMT'), { status: 200 }])
    expect(inThePast.waits).toEqual([1000])
  })

  test('but not after more than a minute of waiting', async () => {
    const limited: ReceiverResponse = { status: 503, headers: { 'Retry-After': '40' } }
    const { waits, failure, attempts } = await notifyReceiver([limited])
    expect(waits).toEqual([40_000, 20_000])
    expect(attempts).toBe(3)
    expect(failure?.message).toMatch('failed after 3 attempts: HTTP 503')
    await receiver!.close()
    expect((await notifyReceiver([{ status: 429, headers: { 'Retry-After': '86400' } }])).waits).toEqual([60_000])
  })

  test('after a timeout', async () => {
    const { failure, waits } = await notifyReceiver(['no response'], { deadline: 20 })
    expect(waits).toHaveLength(4)
    expect(failure?.message).toMatch('failed after 5 attempts: it did not respond in time')
  })

  test('after a refused connection', async () => {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as { port: number }
    await new Promise((resolve) => server.close(resolve))
    const { failure, waits } = await notifyAt(`http://127.0.0.1:${port}/${SECRET}`)
    expect(waits).toHaveLength(4)
    expect(failure?.message).toBe(
      `notification to slack at 127.0.0.1:${port} failed after 5 attempts: the connection was refused`,
    )
  })

  test('after a Teams connector responds 200 with error 429, but not with 413', async () => {
    const delivery = (status: number): ReceiverResponse => ({
      status: 200,
      body: `Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error ${status} with ContextId x`,
    })
    receiver = await startReceiver(delivery(429), { status: 200, body: '1' })
    expect((await notifyAt(`http://127.0.0.1:${receiver.port}/`, {}, 'teams')).failure).toBeUndefined()
    expect(receiver.requests).toHaveLength(2)
    await receiver.close()
    receiver = await startReceiver(delivery(413))
    const { failure, attempts } = await notifyAt(`http://127.0.0.1:${receiver.port}/`, {}, 'teams')
    expect(attempts).toBe(1)
    expect(failure?.message).toMatch('failed: Teams could not deliver the message (HTTP 413)')
  })
})

describe('a notification is not retried', () => {
  test.each([
    {
      response: { status: 404, body: 'no_service' },
      message: 'HTTP 404; no_service; the webhook does not exist; create a new one',
    },
    { response: { status: 400, body: '{"message": "Cannot send", "code": 50006}' }, message: 'HTTP 400; Cannot send' },
    {
      response: { status: 403, body: '<!doctype html><p>Forbidden' },
      message: 'failed: HTTP 403; check notification.webhook',
    },
    { response: { status: 413, body: '' }, message: 'failed: HTTP 413' },
    { response: { status: 200, body: '{"ok": false, "error": "x"}' }, message: 'failed: Slack rejected the message' },
    {
      response: { status: 302, headers: { location: 'http://127.0.0.1:1/verySecret' } },
      message: 'it responded with a redirect (HTTP 302); set notification.webhook to the final address',
    },
  ])('after $response.status $response.body', async ({ response, message }) => {
    const { failure, attempts } = await notifyReceiver([response])
    expect(attempts).toBe(1)
    expect(failure?.message).toMatch(message)
  })

  test('and the quoted response cannot control the terminal or fill the screen', async () => {
    const { failure } = await notifyReceiver([{ status: 400, body: `\u001b[2J\u202e${'bad\r\n'.repeat(5000)}` }])
    expect(failure?.message).toMatch(/HTTP 400; \[2J( bad)+/)
    expect(failure?.message).not.toMatch(/\p{C}/u)
    expect(failure!.message.length).toBeLessThan(250)
  })
})

describe('a user who wants to quit', () => {
  test('waits for one short attempt', async () => {
    const { failure, attempts, waits } = await notifyReceiver([{ status: 500 }], { signal: AbortSignal.abort() })
    expect({ attempts, waits }).toEqual({ attempts: 1, waits: [] })
    expect(failure?.message).toMatch('failed: HTTP 500')
    await receiver!.close()
    const unanswered = await notifyReceiver(['no response'], { signal: AbortSignal.abort(), lastDeadline: 10 })
    expect(unanswered.waits).toEqual([])
    expect(unanswered.failure?.message).toMatch('it did not respond in time')
  })

  test('ends the wait for the next attempt, which is the last', async () => {
    const controller = new AbortController()
    const sleep = async () => controller.abort()
    const { failure, attempts } = await notifyReceiver([{ status: 500 }], { signal: controller.signal, sleep })
    expect(attempts).toBe(2)
    expect(failure?.message).toMatch('after 2 attempts')
  })

  test('shortens the current attempt', async () => {
    const controller = new AbortController()
    receiver = await startReceiver('no response')
    const notifying = notifyAt(`http://127.0.0.1:${receiver.port}/`, { signal: controller.signal, lastDeadline: 10 })
    await receiver.arrival
    controller.abort()
    expect((await notifying).failure?.message).toMatch('failed: it did not respond in time')
  })
})

describe('the secret of the address', () => {
  test('is in no message and no log line, for any response', async () => {
    const echo = `no such hook: /services/${SECRET}`
    const responses: ReceiverResponse[] = [
      { status: 404, body: echo },
      { status: 400, body: JSON.stringify({ message: echo }) },
      { status: 400, body: 'token alsoSecret is unknown' },
      { status: 302, headers: { location: `/${SECRET}` } },
      { status: 500, body: echo },
      { status: 429, headers: { 'retry-after': SECRET } },
      { status: 200, body: 'ok' },
      'reset',
    ]
    for (const response of responses) {
      const { failure, logged } = await notifyReceiver([response])
      const everything = `${logged}${failure?.message}${failure?.stack}${JSON.stringify(failure)}${String(failure?.cause)}`
      expect(everything).not.toMatch(/secret/i)
      await receiver!.close()
    }
  })

  test('is hidden, but the host is shown', async () => {
    const { failure, logged } = await notifyReceiver([{ status: 500 }])
    expect(failure?.message).toMatch(`slack at 127.0.0.1:${receiver!.port} failed`)
    expect(logged).toMatch(
      /DBG deliver\.ts:\d+ > notification failed, will retry host=127\.0\.0\.1:\d+ reason="HTTP 500" wait=1000/,
    )
  })
})
