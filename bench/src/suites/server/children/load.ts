/** Generates load, one round for each job that its parent sends. */
import autocannon, { type Request, type Result } from 'autocannon'
import type { HttpRequest, Job, LoadFigures, Reply } from '../load.js'

/** Microseconds: autocannon's histogram has whole milliseconds, too coarse for responses that take two. */
async function measure({ url, requests, status, connections, seconds, rate }: Job): Promise<LoadFigures> {
  const times: number[] = []
  const others = new Map<number, number>()
  const start = process.hrtime.bigint()
  const { errors, timeouts } = await new Promise<Result>((resolve, reject) => {
    const options = {
      url,
      connections,
      duration: seconds,
      requests: requests.map(asAutocannon),
      ...(rate && { overallRate: rate }),
    }
    autocannon(options, (error, result) => (error ? reject(error) : resolve(result))).on(
      'response',
      (_client, responseStatus, _bytes, milliseconds) => {
        if (responseStatus === status) times.push(milliseconds)
        else others.set(responseStatus, (others.get(responseStatus) ?? 0) + 1)
      },
    )
  })
  const elapsed = Number(process.hrtime.bigint() - start) / 1e9
  if (errors + timeouts > 0) throw new Error(`${errors + timeouts} requests to ${url} had no response`)
  const [other] = others
  if (other) throw new Error(`${url} responseStatus ${other[1]} times with ${other[0]} instead of ${status}`)
  if (times.length === 0) throw new Error(`${url} did not respond`)
  times.sort((a, b) => a - b)
  const p99 = times[Math.min(times.length - 1, Math.ceil(times.length * 0.99) - 1)]!
  return { rate: times.length / elapsed, p99, responses: times.length }
}

const asAutocannon = ({ method, path, headers, body }: HttpRequest): Request => ({
  method,
  path,
  ...(headers && { headers: { ...headers } }),
  ...(body !== undefined && { body }),
})

process.on('message', async (job: Job) => {
  const reply: Reply = await measure(job).catch((error: Error) => ({ why: error.message }))
  process.send!(reply)
})
