import { resolve } from 'node:path'
import type { Source } from '../sources/source.js'
import type { FollowOptions } from './follow-options.js'
import { explain, isReadError } from './trail.js'

/** New files are looked for this often. In a large tree that takes long: then for a hundredth of the time. */
const INTERVAL = 2000
const SHARE = 100
const LONGEST = 60_000

/** Looks for files that are new. */
export interface Expansion {
  expandIfDue(): Promise<void>
}

/**
 * Makes what finds new files of globs and folders. `add` gets every source as it is now, `listed` the absolute paths of all
 * their files.
 */
export function createExpansion(
  { expand, clock, onProblem }: Pick<FollowOptions, 'expand' | 'clock' | 'onProblem'>,
  add: (source: Source) => Promise<void>,
  keepOnly: (listed: ReadonlySet<string>) => Promise<void>,
): Expansion {
  let expandedAt = clock.elapsed()
  let interval = INTERVAL
  let told: string | undefined

  async function find(): Promise<readonly Source[] | undefined> {
    try {
      const sources = await expand!()
      told = undefined
      return sources
    } catch (error) {
      if (!isReadError(error)) throw error
      const message = explain(error)
      if (message !== told) onProblem(message)
      told = message
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
