import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export interface HttpRequest {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** A round of load on one address. */
export interface Job {
  readonly url: string
  /** Each connection goes through them in turn. */
  readonly requests: readonly HttpRequest[]
  readonly status: number
  readonly connections: number
  /** Requests a second over all connections; as many as possible without it. */
  readonly rate?: number
  readonly seconds: number
}

export interface LoadFigures {
  /** Responses a second. */
  readonly rate: number
  /** The time that 99 of 100 responses stayed below, in milliseconds. */
  readonly p99: number
  readonly responses: number
}

/** What the process sends back: figures, or why there are none. */
export type Reply = LoadFigures | { readonly why: string }

/** A process that generates one kind of load. */
export interface LoadProcess<Job> {
  run(job: Job): Promise<LoadFigures>
  stop(): void
}

export type Load = LoadProcess<Job>

/**
 * The process that generates the load: one for all rounds, so that it is equally warm for all contestants.
 *
 * @example
 * const load = startLoad()
 * const { rate, p99 } = await load.run({ url, requests, status: 200, connections: 20, seconds: 3 })
 */
export const startLoad = (): Load => startLoadProcess('load')

/** Starts one of the programs in `children/`, which is sent jobs and responses each with figures. */
export function startLoadProcess<Job extends object>(name: string): LoadProcess<Job> {
  const program = fileURLToPath(new URL(`./children/${name}.js`, import.meta.url))
  const child = fork(program, [], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  let replied = (_: Reply) => {}
  child.on('message', (reply) => replied(reply as Reply))
  child.on('exit', () => replied({ why: `the process ${name} has ended` }))
  return {
    async run(job) {
      const reply = await new Promise<Reply>((resolve) => {
        replied = resolve
        child.send(job)
      })
      if ('why' in reply) throw new Error(reply.why)
      return reply
    },
    stop: () => child.disconnect(),
  }
}
