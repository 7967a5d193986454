import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { HttpRequest } from './load.js'

const CHILD = fileURLToPath(new URL('./children/bare.js', import.meta.url))

/** As many as the service has organizations where it has many. */
export const ROW_COUNT = 10_000

/** The same requests, with the same headers and bodies, for as many different rows of the bare route. */
export function bareRequests(requests: readonly HttpRequest[]): readonly HttpRequest[] {
  return requests.map((request, i) => ({ ...request, path: `/bare?key=key-${1 + i * 1_111}` }))
}

export interface BareServer {
  readonly url: string
  stop(): Promise<void>
}

/** Starts the bare route on a database of its own. */
export async function startBare(databaseUrl: string): Promise<BareServer> {
  const env = { ...process.env, DATABASE_URL: databaseUrl }
  const child = fork(CHILD, [], { env, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const gone = once(child, 'exit')
  const [answer] = (await Promise.race([once(child, 'message'), gone])) as [unknown]
  if (answer === null || typeof answer !== 'object' || !('url' in answer))
    throw new Error('the bare route did not start')
  return {
    url: String(answer.url),
    async stop() {
      child.disconnect()
      await gone
    },
  }
}
