import { showSize } from '../../harness/options.js'
import type { Suite } from '../../harness/suite.js'
import { showMemory, showSpeed, showTime, verdictColumns } from '../../harness/table.js'
import { ripgrepVersion } from './ripgrep.js'
import { agreementRow } from './rows/agreement.js'
import { compileRow } from './rows/compile.js'
import { denseRow } from './rows/dense.js'
import { entriesRow } from './rows/entries.js'
import { manyRow } from './rows/many.js'
import { memoryRow } from './rows/memory.js'
import { nastyRow } from './rows/nasty.js'
import { literalsRow, scanRow, threadsRow } from './rows/scan.js'
import { startRow } from './rows/start.js'
import { openTool, TOOL_FLAGS, type ToolResult, type ToolStage } from './stage.js'

/** The benchmark of `omen`. */
export const toolSuite: Suite<typeof TOOL_FLAGS, ToolStage, ToolResult> = {
  command: 'bench',
  flags: TOOL_FLAGS,
  rows: [
    agreementRow,
    scanRow,
    literalsRow,
    threadsRow,
    manyRow,
    denseRow,
    entriesRow,
    startRow,
    compileRow,
    memoryRow,
    nastyRow,
  ],
  columns: [
    { heading: 'row', width: 9, cell: ({ row }) => row },
    { heading: 'work', width: 58, cell: ({ work }) => work },
    { heading: 'omen', width: 9, isNumber: true, cell: ({ subject }) => (subject ? showTime(subject.seconds) : '') },
    {
      heading: 'MB/s',
      width: 6,
      isNumber: true,
      cell: ({ subject, bytes }) => (subject && bytes !== null ? showSpeed(bytes, subject.seconds) : ''),
    },
    { heading: 'peak', width: 9, isNumber: true, cell: ({ subject }) => (subject ? showMemory(subject.peak) : '') },
    { heading: 'opponent', width: 16, cell: ({ opponent }) => opponent?.name ?? '' },
    {
      heading: 'its time',
      width: 9,
      isNumber: true,
      cell: ({ opponent }) => (opponent ? showTime(opponent.seconds) : ''),
    },
    { heading: 'peak', width: 9, isNumber: true, cell: ({ opponent }) => (opponent ? showMemory(opponent.peak) : '') },
    ...verdictColumns<ToolResult>('ratio', [10, 18, 11], (result) => result),
  ],
  verdictsOf: (result) => [result],
  notesOf: ({ notes }) => notes,
  async open(context) {
    const { size, runs } = context.options
    return {
      stage: openTool(context),
      versions: { ripgrep: ripgrepVersion() },
      method: `a log of ${showSize(size)}, best of ${runs}, ratios cut to two digits`,
    }
  },
}
