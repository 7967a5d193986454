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
  readonly seconds: number
}

export interface LoadFigures {
  /** Answers in a second. */
  readonly rate: number
  /** The time that 99 of 100 answers stayed below, in milliseconds. */
  readonly p99: number
  readonly answers: number
}

/** What the process sends back: figures, or why there are none. */
export type Answer = LoadFigures | { readonly why: string }

/** A process that makes load of one kind. */
export interface LoadProcess<Job> {
  run(job: Job): Promise<LoadFigures>
  stop(): void
}

export type Load = LoadProcess<Job>

/**
 * The process that makes the load: one for all rounds, so that it is as warm for the first contestant as for the last.
 *
 * @example
 * const load = startLoad()
 * const { rate, p99 } = await load.run({ url, requests, status: 200, connections: 20, seconds: 3 })
 */
export const startLoad = (): Load => startLoadProcess('load')

/** Starts one of the programs in `children/`, which is sent jobs and answers each with figures. */
export function startLoadProcess<Job extends object>(name: string): LoadProcess<Job> {
  const program = fileURLToPath(new URL(`./children/${name}.js`, import.meta.url))
  const child = fork(program, [], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  let answered = (_: Answer) => {}
  child.on('message', (answer) => answered(answer as Answer))
  child.on('exit', () => answered({ why: `the process ${name} has ended` }))
  return {
    async run(job) {
      const answer = await new Promise<Answer>((resolve) => {
        answered = resolve
        child.send(job)
      })
      if ('why' in answer) throw new Error(answer.why)
      return answer
    },
    stop: () => child.disconnect(),
  }
}
