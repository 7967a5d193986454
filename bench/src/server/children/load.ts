/** Makes load, round after round, as its parent asks for it. */
import autocannon, { type Request, type Result } from 'autocannon'
import type { Answer, HttpRequest, Job, LoadFigures } from '../load.js'

/** Microseconds: autocannon's own histogram has whole milliseconds, which is too coarse for answers that take two. */
async function measure({ url, requests, status, connections, seconds }: Job): Promise<LoadFigures> {
  const times: number[] = []
  const others = new Map<number, number>()
  const start = process.hrtime.bigint()
  const { errors, timeouts } = await new Promise<Result>((resolve, reject) => {
    const options = { url, connections, duration: seconds, requests: requests.map(asAutocannon) }
    autocannon(options, (error, result) => (error ? reject(error) : resolve(result))).on(
      'response',
      (_client, answered, _bytes, milliseconds) => {
        if (answered === status) times.push(milliseconds)
        else others.set(answered, (others.get(answered) ?? 0) + 1)
      },
    )
  })
  const elapsed = Number(process.hrtime.bigint() - start) / 1e9
  if (errors + timeouts > 0) throw new Error(`${errors + timeouts} requests to ${url} had no answer`)
  const [other] = others
  if (other) throw new Error(`${url} answered ${other[1]} times with ${other[0]} instead of ${status}`)
  if (times.length === 0) throw new Error(`${url} did not answer`)
  times.sort((a, b) => a - b)
  const p99 = times[Math.min(times.length - 1, Math.ceil(times.length * 0.99) - 1)]!
  return { rate: times.length / elapsed, p99, answers: times.length }
}

const asAutocannon = ({ method, path, headers, body }: HttpRequest): Request => ({
  method,
  path,
  ...(headers && { headers: { ...headers } }),
  ...(body !== undefined && { body }),
})

process.on('message', async (job: Job) => {
  const answer: Answer = await measure(job).catch((error: Error) => ({ why: error.message }))
  process.send!(answer)
})
