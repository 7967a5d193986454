import { expect, test } from 'vitest'
import { startApp } from '../../../test/http/app-under-test.js'
import { createLogger } from './log.js'

const logTo = (lines: string[], level: 'trace' | 'info') =>
  createLogger({ level, destination: { write: (line) => void lines.push(line) } })

test('a request has one log line, with its path as it was sent and without its query', async () => {
  const lines: string[] = []
  const { send } = await startApp({ logger: logTo(lines, 'trace') })
  await send({ url: '/v1/auth/validate?code=x', headers: { 'x-request-id': 'from:a+proxy/1=2.3_4-5' } })
  await send({ url: '/healthz' })
  await send({ url: '/%E2%82%AC/%22' })
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 'info', requestId: 'from:a+proxy/1=2.3_4-5', path: '/v1/auth/validate', status: 200, msg: 'request' },
    { level: 'debug', path: '/healthz', status: 200 },
    { level: 'info', path: '/%E2%82%AC/%22', status: 404, problem: 'not_found' },
  ])
})

test('nothing is written below the log level', async () => {
  const lines: string[] = []
  const { send } = await startApp({ logger: logTo(lines, 'info') })
  await send({ url: '/healthz' })
  await send({ url: '/readyz' })
  expect(lines).toEqual([])
})
