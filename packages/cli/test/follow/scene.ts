import type { CompiledRules } from '@omen/engine'
import { afterEach, beforeAll, beforeEach } from 'vitest'
import type { FollowOptions } from '../../src/follow/follow-options.js'
import type { ManualClock } from './manual-clock.js'
import { freshFolder, rehearse, sourceOf, testRules, writeLog } from './rehearsal.js'

/** What a test works with, made anew for each test of a file that calls `useScene`. */
export let rules: CompiledRules
export let folder: ReturnType<typeof freshFolder>
export let log: string
export let statePath: string

/** Sets the scene for every test of a file: rules, and an empty folder for a log and a state. */
export function useScene(): void {
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

/** As cron does: one run over what has come since the last. */
export async function runOnce({ rules: own = rules, ...rest }: Options = {}, paths = [log]) {
  const run = await rehearse(own, [sourceOf(...paths)], { statePath, once: true, ...rest })
  await run.done
  return run
}

/** Lines that have just come. */
export const append = (text: string, path = log) => writeLog(path, text)

/** Lines that came long ago. */
export const appendLongAgo = (text: string, path = log) => writeLog(path, text, 'a', 0)

/** What was found, without the rules. */
export const entries = (found: readonly string[]) => found.map((text) => text.replace(/^\S+ /, ''))
