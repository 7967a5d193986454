import type { KernelMemory } from '../kernel/memory.js'
import { CONFIGURED, FORMAT, MOST_FORMATS, ROW_FLAG, STATE } from '../kernel/reading-layout.js'
import type { Block } from './entries.js'
import { builtInFormats, type LineFormat, openFormat, type ReadingFormat } from './format.js'
import { firstBits, formatTable } from './format-table.js'
import { appendFormat } from './line-time.js'

/** The list of formats of a stream, and the table of all formats, in kernel memory. */
export interface FormatMemory {
  /** The formats of the stream in the order in which they were first used. */
  list(): ReadingFormat[]
  /** Adds a format that the stream has, or a shape of one that is in the list. */
  append(format: LineFormat, shapes: number): void
  /** Replaces the list. */
  restore(formats: readonly ReadingFormat[]): void
  /** Puts the table into memory. Most streams do not need it. */
  loadTable(): void
  /** The configured formats, which may be in the list. Only the twin of the kernel can run them. */
  configured: readonly LineFormat[]
}

const LIST_SIZE = MOST_FORMATS * FORMAT.size

/** For the programs of the formats that the host adds to the list: no program is longer than 400 bytes. */
const PROGRAMS_SIZE = MOST_FORMATS * 400

/** The table has about 60 KB. */
const TABLE_SIZE = 65_536

export const FORMAT_MEMORY_SIZE = LIST_SIZE + PROGRAMS_SIZE + TABLE_SIZE

/** Creates the list and the table at an address with FORMAT_MEMORY_SIZE free bytes. */
export function createFormatMemory(memory: KernelMemory, address: number, block: () => Block): FormatMemory {
  const programs = address + LIST_SIZE
  const table = programs + PROGRAMS_SIZE
  let programsEnd = programs
  let configured: readonly LineFormat[] = []
  block().words[STATE.formats] = address

  function append(format: LineFormat, shapes: number, isStrict = false): void {
    const before = block().words[STATE.formatCount]
    const record = appendFormat(block(), format, shapes, isStrict)
    if (block().words[STATE.formatCount] === before) return
    memory.u8.set(firstBits(format), record + FORMAT.firstBytes)
    if (!format.program) return
    if (programsEnd + format.program.length > table) throw new Error('the time programs are larger than their memory')
    memory.u8.set(format.program, programsEnd)
    memory.u32[(record + FORMAT.program) >> 2] = programsEnd
    programsEnd += format.program.length
  }

  return {
    append,
    list() {
      const { words, u32 } = block()
      return Array.from({ length: words[STATE.formatCount] }, (_, i) => {
        const record = words[STATE.formats] + i * FORMAT.size
        const row = u32[(record + FORMAT.row) >> 2]
        const { format } = row >= CONFIGURED ? configured[row - CONFIGURED] : builtInFormats()[row]
        const shapes = u32[(record + FORMAT.shapes) >> 2]
        const strict = (u32[(record + FORMAT.flags) >> 2] & (ROW_FLAG.words | ROW_FLAG.level)) !== 0
        const recent = words[STATE.recent] === record
        return { ...format, shapes, ...(strict && { strict }), ...(recent && { recent }) }
      })
    },
    restore(formats) {
      const { words } = block()
      for (const word of [STATE.formatCount, STATE.recent, STATE.topRank, STATE.topObjectRank]) words[word] = 0
      programsEnd = programs
      let recent = 0
      for (const format of formats) {
        const opened = openFormat(format, configured)
        // A segment may have a configured format that was decided elsewhere.
        if (opened.row === CONFIGURED + configured.length) configured = [...configured, opened]
        append(opened, format.shapes ?? 0, format.strict)
        if (format.recent) recent = words[STATE.recent]
      }
      words[STATE.recent] = recent
    },
    loadTable() {
      const bytes = formatTable()
      if (bytes.length > TABLE_SIZE) throw new Error('the table of formats is larger than its memory')
      memory.u8.set(bytes, table)
      block().words[STATE.table] = table
    },
    get configured() {
      return configured
    },
    set configured(formats) {
      configured = formats
    },
  }
}
