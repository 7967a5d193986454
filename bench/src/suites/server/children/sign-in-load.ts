/** Signs people in, round after round, as its parent asks for it. */
import { Agent } from 'node:http'
import { createBrowser } from '../browser.js'
import type { LoadFigures, Reply } from '../load.js'
import type { SignInJob } from '../sign-in-load.js'

/** They come back again and again, as people do. */
const PEOPLE = 100

const agent = new Agent({ keepAlive: true })
let signIns = 0

/** One person in a fresh browser, from the first address to the last. */
async function signIn({ start, end, redeem }: SignInJob): Promise<void> {
  const browser = createBrowser(agent)
  const arrived = await browser.followTo(start.replaceAll('<n>', String(signIns++ % PEOPLE)), end)
  if (redeem === undefined) return
  const code = new URL(arrived).searchParams.get('code') ?? ''
  const { status, body } = await browser.send(redeem.url, {
    headers: { 'content-type': 'application/x-www-form-urlencoded', authorization: redeem.authorization },
    body: new URLSearchParams({ ...redeem.fields, code }).toString(),
  })
  if (status !== 200) throw new Error(`${redeem.url} answered ${status}: ${body.slice(0, 300)}`)
}

async function measure(job: SignInJob): Promise<LoadFigures> {
  const times: number[] = []
  const start = performance.now()
  const end = start + job.seconds * 1000
  const goOn = async () => {
    for (let begun = performance.now(); begun < end; begun = performance.now()) {
      await signIn(job)
      times.push(performance.now() - begun)
    }
  }
  await Promise.all(Array.from({ length: job.browsers }, goOn))
  const elapsed = (performance.now() - start) / 1000
  times.sort((a, b) => a - b)
  const p99 = times[Math.min(times.length - 1, Math.ceil(times.length * 0.99) - 1)]!
  return { rate: times.length / elapsed, p99, responses: times.length }
}

process.on('message', async (job: SignInJob) => {
  const reply: Reply = await measure(job).catch((error: Error) => ({ why: error.message }))
  process.send!(reply)
})
