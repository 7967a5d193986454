// The lead: what a time program reads before the time, such as the priority of syslog or the level of klog. If it differs
// from line to line it is read in each line, so that the memo can cover the bytes after it. Results do not depend on it.

import { FORMAT, OP } from './constants.generated'
import { holds, isIn } from './reading-bytes'


/** After this many misses of the memo the lead is taken to differ from line to line. */
const PATIENCE: u32 = 4

/** The FORMAT record in use, and the operations of its lead; `leadEnd` is 0 while the memo covers the lead too. */
let format: usize = 0
let lead: usize = 0
export let leadEnd: usize = 0
let variableEnd: usize = 0
let misses: u32 = 0

/** Uses the lead of a program, which starts with these operations. */
export function useLead(record: usize, operations: usize): void {
  let varies = false
  let pc = operations
  for (; isOfLead(load<u8>(pc)); pc = nextOperation(pc)) if (load<u8>(pc) != OP.bytes) varies = true
  format = record
  lead = operations
  leadEnd = load<u32>(record, FORMAT.leadEnd)
  variableEnd = pc
  misses = varies ? load<u32>(record, FORMAT.misses) : PATIENCE
}

/** Counts a miss of the memo. Returns whether the lead is read in each line from now on. */
@inline
export function missLead(): bool {
  return misses < PATIENCE && countMiss()
}

function countMiss(): bool {
  store<u32>(format, ++misses, FORMAT.misses)
  if (misses < PATIENCE) return false
  leadEnd = variableEnd
  store<u32>(format, <u32>leadEnd, FORMAT.leadEnd)
  return true
}

@inline
function isOfLead(op: u32): bool {
  return op >= <u32>OP.bytes && op <= <u32>OP.some
}

@inline
function nextOperation(pc: usize): usize {
  const count = <usize>load<u8>(pc, 1)
  return pc + 2 + (load<u8>(pc) == OP.bytes ? count : 2 * count)
}

/** The end of the lead that starts at `start`, or 0 if there is no lead. */
export function skipLead(start: usize, end: usize): usize {
  let at = start
  for (let pc = lead; pc < leadEnd; ) {
    const op = <u32>load<u8>(pc)
    const count = <usize>load<u8>(pc, 1)
    if (op == OP.bytes) {
      if (at + count > end || !holds(at, pc + 2, count)) return 0
      at += count
      pc += 2 + count
      continue
    }
    const first = at
    const most = op >= <u32>OP.many ? end : min(end, at + 1)
    if (count == 1) {
      const low = <u32>load<u8>(pc, 2)
      const width = <u32>load<u8>(pc, 3) - low
      while (at < most && <u32>load<u8>(at) - low <= width) at++
    } else while (at < most && isIn(pc + 1, load<u8>(at))) at++
    if (at == first && (op == OP.one || op == OP.some)) return 0
    pc += 2 + 2 * count
  }
  return at
}
