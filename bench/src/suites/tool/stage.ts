import { fileURLToPath } from 'node:url'
import { wordRules } from '../../generate/phrases.js'
import { countFlag, type Options, sizeFlag } from '../../harness/options.js'
import type { Row, SuiteContext } from '../../harness/suite.js'
import type { Figure } from '../../harness/timing.js'
import type { Verdict } from '../../harness/verdict.js'
import { type Corpus, conditionsOf, readCorpus } from './corpus.js'
import { type Materials, openMaterials } from './materials.js'
import { type Patterns, toPatterns } from './patterns.js'
import { ensureRipgrep, isValidPattern } from './ripgrep.js'
import { findSubject, type Subject } from './subject.js'

export const TOOL_FLAGS = {
  size: sizeFlag('400MB', 'the size of the log'),
  pipe: sizeFlag('4GB', 'how much goes through the pipe of the memory row'),
  runs: countFlag(5, 'runs of each program, of which the best counts'),
}

/** What the rows work with. */
export interface ToolStage {
  readonly options: Options<typeof TOOL_FLAGS>
  readonly materials: Materials
  readonly subject: Subject
  readonly rules: RuleSet
  /** A folder that is removed at the end. */
  readonly scratch: string
}

/** The rules of the main rows: the corpus, or rules from the word list where there is no corpus. */
export interface RuleSet {
  /** As in "119 corpus rules". */
  readonly title: string
  readonly corpus: Corpus
  readonly patterns: Patterns
}

/** A line of the table. */
export interface ToolResult extends Verdict {
  readonly row: string
  readonly work: string
  readonly subject: Figure | null
  readonly opponent: Figure | null
  /** Bytes that the tool read, where a speed is meaningful. */
  readonly bytes: number | null
  readonly notes: readonly string[]
}

export type ToolRow = Row<ToolStage, ToolResult>

const DATA = fileURLToPath(new URL('../../../data/', import.meta.url))
const CORPUS = fileURLToPath(new URL('../../../../../shared/corpus/cre/', import.meta.url))

/** As many rules as the corpus has. */
const SUBSTITUTES = 119

export function openTool({ options, scratch, report }: SuiteContext<typeof TOOL_FLAGS>): ToolStage {
  ensureRipgrep(report)
  const subject = findSubject(options.subject)
  return { options, subject, scratch, materials: openMaterials(DATA, report), rules: loadRules(report) }
}

function loadRules(report: (text: string) => void): RuleSet {
  const corpus = readCorpus(CORPUS)
  if (corpus) {
    return { title: `${corpus.rules} corpus rules`, corpus, patterns: toPatterns(corpus.conditions, isValidPattern) }
  }
  report(`no corpus at ../shared/corpus/cre: ${SUBSTITUTES} rules from the word list are used instead`)
  const text = wordRules(SUBSTITUTES)
  const substitute = { ...conditionsOf([text]), text, examples: [] }
  const patterns = toPatterns(substitute.conditions, isValidPattern)
  return { title: `${SUBSTITUTES} word-list rules`, corpus: substitute, patterns }
}
