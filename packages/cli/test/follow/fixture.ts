import type { CompiledRules } from '@omen/engine'
import { afterEach, beforeAll, beforeEach } from 'vitest'
import type { FollowOptions } from '../../src/follow/follow-options.js'
import { freshFolder, sourceOf, startRun, testRules, writeLog } from './follow-run.js'
import type { ManualClock } from './manual-clock.js'

/** Set before each test of a file that calls `useFixture`. */
export let rules: CompiledRules
export let folder: ReturnType<typeof freshFolder>
export let log: string
export let statePath: string

/** Creates the rules, and for each test an empty folder for a log and a state file. */
export function useFixture(): void {
  beforeAll(async () => {
    rules = await testRules()
  })
  beforeEach(() => {
    folder = freshFolder()
    log = folder.at('app.log')
    statePath = folder.at('state.json')
  })
  afterEach(() => folder.remove())
}

type Options = Partial<Omit<FollowOptions, 'clock'>> & { readonly clock?: ManualClock }

/** Runs once, like a cron job: over the data since the last run. */
export async function runOnce({ rules: own = rules, ...rest }: Options = {}, paths = [log]) {
  const run = await startRun(own, [sourceOf(...paths)], { statePath, once: true, ...rest })
  await run.done
  return run
}

/** Appends lines that have just been written. */
export const append = (text: string, path = log) => writeLog(path, text)

/** Appends lines that were written long ago. */
export const appendLongAgo = (text: string, path = log) => writeLog(path, text, 'a', 0)

/** The detections without the rule IDs. */
export const entries = (found: readonly string[]) => found.map((text) => text.replace(/^\S+ /, ''))
