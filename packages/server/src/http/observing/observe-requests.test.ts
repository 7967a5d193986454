import { expect, test } from 'vitest'
import { startApp } from '../../../test/http/app-under-test.js'
import { createLogger } from './log.js'

const logTo = (lines: string[], level: 'trace' | 'info') =>
  createLogger({ level, destination: { write: (line) => void lines.push(line) } })

/** What the logger itself writes for the same fields. */
function lineOfLogger({ level, time: _, msg, ...fields }: Record<string, unknown>): string {
  const lines: string[] = []
  logTo(lines, 'trace')[level as 'info' | 'debug'](fields, String(msg))
  return lines[0]!
}

const withoutTime = (line: string) => line.replace(/"time":"[^"]*"/, '')

test('the line of a request is valid JSON with the fields of the logger', async () => {
  const lines: string[] = []
  const { send } = await startApp({ logger: logTo(lines, 'trace') })
  await send({ url: '/v1/auth/validate?code=x' })
  await send({ url: '/v1/auth/validate', headers: { 'x-request-id': 'from:a+proxy/1=2.3_4-5' } })
  await send({ url: '/healthz' })
  await send({ url: '/no/such/"address"\\' })
  await send({ url: '/%E2%82%AC/%22' })
  expect(lines).toHaveLength(5)
  for (const line of lines) expect(withoutTime(line)).toBe(withoutTime(lineOfLogger(JSON.parse(line))))
})

test('nothing is written below the log level', async () => {
  const lines: string[] = []
  const { send } = await startApp({ logger: logTo(lines, 'info') })
  await send({ url: '/healthz' })
  await send({ url: '/readyz' })
  expect(lines).toEqual([])
})
