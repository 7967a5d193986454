import { agreementRow } from './agreement.js'
import { compileRow } from './compile.js'
import { denseRow } from './dense.js'
import { entriesRow } from './entries.js'
import { manyRow } from './many.js'
import { memoryRow } from './memory.js'
import { nastyRow } from './nasty.js'
import type { Row } from './row.js'
import { literalsRow, scanRow, threadsRow } from './scan.js'
import { startRow } from './start.js'

/** In the order of the table. */
export const ROWS: readonly Row[] = [
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
]
