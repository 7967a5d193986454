import type { Screen } from '../console/screen.js'
import type { RuleFile } from './rule-files.js'

/** What the verbs about rules need of the world. */
export interface RulesContext {
  readonly out: Screen
  readonly err: Screen
  /** Reads the rule documents that a scan would use, in load order. */
  readonly documents: () => readonly RuleFile[]
  /** Where compiled rules are kept. */
  readonly cacheFolder: string
  readonly now: () => Date
}
