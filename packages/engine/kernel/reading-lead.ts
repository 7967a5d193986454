// What a program reads before the first part of a time, such as the priority of syslog or the level of klog. Where it
// differs from line to line it is read anew in each, so that what follows can be remembered. Results never depend on it.

import { OP } from './constants.generated'
import { holds, isIn } from './reading-bytes'


/** So often in one call the remembered bytes may be others before the lead is taken to differ from line to line. */
const PATIENCE: u32 = 4

/** The operations of the lead; the end is 0 while it is remembered with what follows. */
let lead: usize = 0
export let leadEnd: usize = 0
let variableEnd: usize = 0
let misses: u32 = 0

/** Looks for the lead of a program: whether it has one that can differ from line to line. */
export function findLead(operations: usize): bool {
  let varies = false
  let pc = operations
  for (; isOfLead(load<u8>(pc)); pc = nextOperation(pc)) if (load<u8>(pc) != OP.bytes) varies = true
  lead = operations
  leadEnd = 0
  variableEnd = pc
  misses = varies ? 0 : PATIENCE
  return varies
}

/** The bytes of a time were not those remembered. Returns whether the lead is read anew in each line from now on. */
@inline
export function missLead(): bool {
  if (misses >= PATIENCE || ++misses < PATIENCE) return false
  leadEnd = variableEnd
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

/** Where the lead ends that starts at `start`, or 0 when something else stands there. */
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
