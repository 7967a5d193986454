import type { Data } from './open-data.js'
import type { ResolvedSources } from './resolve-sources.js'
import type { Source, SourceFile } from './source.js'

/** Finds and reads sources that are not files on this machine. */
export interface Origin {
  find(): Promise<ResolvedSources>
  /** Opens a file of a source. Rejects with a `Missing` if it is normal that there is none. */
  open(file: SourceFile): Promise<Data>
  /** Opens it to be read for as long as more can come. */
  follow(file: SourceFile): Promise<Data>
  /** Sources that are new since the last search. */
  findMore(): Promise<readonly Source[]>
  /** New sources may come when all that were found have ended. */
  readonly isOpenEnded: boolean
  /** How many are read concurrently. */
  readonly parallel: number
  close(): Promise<void>
}

/** Data that no longer exists, or does not exist yet, which is normal: a warning, not a failure of the run. */
export class Missing extends Error {
  override readonly name = 'Missing'
}
