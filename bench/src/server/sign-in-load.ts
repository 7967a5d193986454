import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Answer, LoadFigures } from './load.js'

const CHILD = fileURLToPath(new URL('./children/sign-in-load.js', import.meta.url))

/** Sign-ins, one after the other in each of some browsers. */
export interface SignInJob {
  /** Where a browser begins. `<n>` stands for the number of whoever signs in. */
  readonly start: string
  /** Where it has arrived, without the query. */
  readonly end: string
  /** What is done with the code of that address, where nobody else does it. */
  readonly redeem?: {
    readonly url: string
    readonly authorization: string
    readonly fields: Readonly<Record<string, string>>
  }
  readonly browsers: number
  readonly seconds: number
}

export interface SignInLoad {
  run(job: SignInJob): Promise<LoadFigures>
  stop(): void
}

/**
 * The process that signs people in, one for all rounds.
 *
 * @example
 * const { rate } = await startSignInLoad().run({ start, end: `${baseUrl}/`, browsers: 8, seconds: 3 })
 */
export function startSignInLoad(): SignInLoad {
  const child = fork(CHILD, [], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  let answered = (_: Answer) => {}
  child.on('message', (answer) => answered(answer as Answer))
  child.on('exit', () => answered({ why: 'the process that signs people in has ended' }))
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
