import type { Data } from './open-data.js'
import type { ResolvedSources } from './resolve-sources.js'
import type { Source, SourceFile } from './source.js'

/** Where sources come from that are no files of this machine: what finds them, and what reads them. */
export interface Origin {
  find(): Promise<ResolvedSources>
  /** Opens what a source names as a file. Rejects with a `Missing` where it is normal that nothing is there. */
  open(file: SourceFile): Promise<Data>
  /** Opens it to be read for as long as more can come. */
  follow(file: SourceFile): Promise<Data>
  /** Sources that are new since they were last looked for. */
  findMore(): Promise<readonly Source[]>
  /** New sources may come when all that were found have ended. */
  readonly isOpenEnded: boolean
  /** So many are read side by side. */
  readonly parallel: number
  close(): Promise<void>
}

/** Something is not there any more, or not yet, as happens every day: worth a warning, and no failure of the run. */
export class Missing extends Error {
  override readonly name = 'Missing'
}
