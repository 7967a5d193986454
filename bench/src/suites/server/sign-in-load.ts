import { type LoadProcess, startLoadProcess } from './load.js'

/** Sign-ins, one after the other in each of some browsers. */
export interface SignInJob {
  /** The first address of a browser. `<n>` is replaced by the number of the user. */
  readonly start: string
  /** Where it has arrived, without the query. */
  readonly end: string
  /** How the code in that address is redeemed, when the service does not do it. */
  readonly redeem?: {
    readonly url: string
    readonly authorization: string
    readonly fields: Readonly<Record<string, string>>
  }
  readonly browsers: number
  readonly seconds: number
}

export type SignInLoad = LoadProcess<SignInJob>

/**
 * The process that signs people in, one for all rounds.
 *
 * @example
 * const { rate } = await startSignInLoad().run({ start, end: `${baseUrl}/`, browsers: 8, seconds: 3 })
 */
export const startSignInLoad = (): SignInLoad => startLoadProcess('sign-in-load')
