import type { Corpus } from '../corpus.js'
import type { Materials } from '../materials.js'
import type { Options } from '../options.js'
import type { Patterns } from '../patterns.js'
import type { Subject } from '../subject.js'
import type { Result } from '../verdict.js'

/** What the rows work with. */
export interface Bench {
  readonly options: Options
  readonly materials: Materials
  readonly subject: Subject
  readonly rules: RuleSet
  /** A folder that is removed at the end. */
  readonly scratch: string
}

/** The rules of the main rows: the corpus, or the word list where there is none. */
export interface RuleSet {
  /** As in "119 corpus rules". */
  readonly title: string
  readonly corpus: Corpus
  readonly patterns: Patterns
}

/** A part of the benchmark that can be asked for by name. It gives its lines of the table as they are measured. */
export interface Row {
  readonly name: string
  readonly about: string
  run(bench: Bench): AsyncGenerator<Result>
}
