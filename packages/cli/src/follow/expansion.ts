import { resolve } from 'node:path'
import type { Source } from '../sources/source.js'
import type { FollowOptions } from './follow-options.js'
import { explain, isReadError } from './followed-file.js'

/** How often new files are listed. A large tree takes long: then less often, for at most a hundredth of the time. */
const INTERVAL = 2000
const SHARE = 100
const LONGEST = 60_000

/** Finds new files of globs and folders. */
export interface Expansion {
  expandIfDue(): Promise<void>
}

/** `add` receives every source as it is now, `keepOnly` the absolute paths of all their files. */
export function createExpansion(
  { expand, clock, onProblem }: Pick<FollowOptions, 'expand' | 'clock' | 'onProblem'>,
  add: (source: Source) => Promise<void>,
  keepOnly: (listed: ReadonlySet<string>) => Promise<void>,
): Expansion {
  let expandedAt = clock.elapsed()
  let interval = INTERVAL
  let lastReported: string | undefined

  async function find(): Promise<readonly Source[] | undefined> {
    try {
      const sources = await expand!()
      lastReported = undefined
      return sources
    } catch (error) {
      if (!isReadError(error)) throw error
      const message = explain(error)
      if (message !== lastReported) onProblem(message)
      lastReported = message
      return undefined
    }
  }

  return {
    async expandIfDue() {
      const start = clock.elapsed()
      if (!expand || start - expandedAt < interval) return
      const sources = await find()
      expandedAt = clock.elapsed()
      interval = Math.min(LONGEST, Math.max(INTERVAL, SHARE * (expandedAt - start)))
      if (!sources) return
      for (const source of sources) await add(source)
      await keepOnly(new Set(sources.flatMap(({ files }) => files.map(({ path }) => resolve(path)))))
    },
  }
}
