import { expect, test } from 'vitest'
import { startApp } from '../../test/http/app-under-test.js'
import { listen, openConnection } from '../../test/http/raw-connection.js'
import { shutDown } from './server.js'

const GET = (address: string) => `GET ${address} HTTP/1.1\r\nHost: localhost\r\n\r\n`

/** An app in which the exchange of a code waits until the test releases it. */
async function startWaiting() {
  let release = () => {}
  const access = new Promise<void>((resolve) => {
    release = resolve
  })
  let arrived = () => {}
  const arrival = new Promise<void>((resolve) => {
    arrived = resolve
  })
  const { app, send } = await startApp({
    onboarding: {
      exchangeCode: async () => {
        arrived()
        await access
        return { token: 'finished' }
      },
    },
  })
  return { app, send, port: await listen(app), arrival, release }
}

test('a request in flight finishes, its connection is closed, and no other connection is accepted', async () => {
  const { app, port, arrival, release } = await startWaiting()
  const busy = openConnection(port)
  busy.socket.write(GET('/v1/auth/validate?code=x'))
  const idle = openConnection(port)
  idle.socket.write(GET('/healthz'))
  await Promise.all([arrival, idle.until('"ok"')])

  const ending = shutDown(app)
  expect(await idle.end()).toContain('"ok"')
  await expect(openConnection(port).until('anything')).rejects.toThrow('closed')
  release()
  expect(await busy.end()).toContain('"finished"')
  expect(await ending).toEqual({ cutOff: false })
})

test('a server that shuts down is not ready, and says so on open connections', async () => {
  const { app, port, arrival, release } = await startWaiting()
  const busy = openConnection(port)
  // The second request waits for the first one on the same connection.
  busy.socket.write(GET('/v1/auth/validate?code=x') + GET('/readyz'))
  await arrival
  app.life.draining = true
  const late = openConnection(port)
  late.socket.write(GET('/readyz'))
  const response = await late.end()
  expect(response).toMatch(/^HTTP\/1\.1 503 /)
  expect(response.toLowerCase()).toContain('\r\nconnection: close\r\n')
  release()
  await busy.until('"finished"')
  expect(await shutDown(app)).toEqual({ cutOff: false })
})

test('requests that are not done at the deadline are cut off', async () => {
  const { app, port, arrival, release } = await startWaiting()
  const busy = openConnection(port)
  busy.socket.write(GET('/v1/auth/validate?code=x'))
  await arrival
  expect(await shutDown(app, { deadlineMs: 1 })).toEqual({ cutOff: true })
  expect(await busy.end()).toBe('')
  release()
})

test('a connection with half a request does not delay the shutdown beyond the deadline', async () => {
  const { app, port, arrival, release } = await startWaiting()
  const half = openConnection(port)
  half.socket.write('GET /healthz HTTP/1.1\r\nHost')
  const busy = openConnection(port)
  busy.socket.write(GET('/v1/auth/validate?code=x'))
  await arrival
  release()
  await busy.until('"finished"')
  await shutDown(app, { deadlineMs: 50 })
  await half.end()
})

test('a second shutdown waits for the first one', async () => {
  const { app } = await startWaiting()
  expect(await Promise.all([shutDown(app), shutDown(app)])).toEqual([{ cutOff: false }, { cutOff: false }])
})
