import { spend } from '../budget.js'
import type { OnigPattern } from './node.js'
import { compileOnig, type Instruction, type Program } from './program.js'

/** A place to come back to when the current way fails. */
interface Choice {
  readonly pc: number
  readonly at: number
  readonly slots: number[]
}

/**
 * Matches by trying one way after the other, which can do everything that a pattern may say but may take long: every
 * step counts towards the budget of the evaluation.
 */
export function createBacktracker(pattern: OnigPattern): (text: string, start: number) => number[] | null {
  const program = compileOnig(pattern)
  return (text, start) => {
    for (let at = start; at <= text.length; at += isPair(text, at) ? 2 : 1) {
      const slots = run(program, text, at, start, new Array<number>(program.slots).fill(-1))
      if (slots !== null) return slots
    }
    return null
  }
}

function isPair(text: string, at: number): boolean {
  return (text.charCodeAt(at) & 0xfc00) === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00
}

/** Runs a program from a position. The first two slots of the result are the bounds of the match. */
function run(program: Program, text: string, from: number, searchStart: number, initial: number[]): number[] | null {
  const choices: Choice[] = []
  let slots = initial
  slots[0] = from
  let pc = 0
  let at = from
  const fail = (): boolean => {
    const choice = choices.pop()
    if (choice === undefined) return false
    pc = choice.pc
    at = choice.at
    slots = choice.slots
    return true
  }
  for (;;) {
    spend(1)
    const instruction: Instruction = program.code[pc]!
    switch (instruction.op) {
      case 'match':
        slots[1] = at
        return slots
      case 'split':
        choices.push({ pc: instruction.other, at, slots: [...slots] })
        pc = instruction.first
        continue
      case 'jump':
        pc = instruction.to
        continue
      case 'save':
        slots[instruction.slot] = at
        pc++
        continue
      case 'progress':
        // A round of a loop that took nothing ends the loop.
        pc = slots[instruction.slot] === at ? instruction.exit : pc + 1
        continue
      case 'look': {
        const found = look(instruction, text, at, searchStart, slots)
        if ((found === null) === instruction.negative) {
          if (found !== null) keepGroups(found, slots)
          pc++
        } else if (!fail()) {
          return null
        }
        continue
      }
      case 'atomic': {
        const found = run(instruction.program, text, at, searchStart, [...slots])
        if (found !== null) {
          at = found[1]!
          keepGroups(found, slots)
          pc++
        } else if (!fail()) {
          return null
        }
        continue
      }
      default: {
        const next = instruction.step(text, at, slots, searchStart)
        if (next >= 0) {
          at = next
          pc++
        } else if (!fail()) {
          return null
        }
      }
    }
  }
}

function keepGroups(found: readonly number[], slots: number[]): void {
  for (let i = 2; i < slots.length; i++) slots[i] = found[i]!
}

function look(
  { program, ahead, widths }: Extract<Instruction, { op: 'look' }>,
  text: string,
  at: number,
  searchStart: number,
  slots: readonly number[],
): number[] | null {
  if (ahead) return run(program, text, at, searchStart, [...slots])
  for (let width = widths.min, from = back(text, at, widths.min); from >= 0 && width <= widths.max; width++) {
    const found = run(program, text, from, searchStart, [...slots])
    if (found !== null && found[1] === at) return found
    from = back(text, from, 1)
  }
  return null
}

/** The position this many code points before another, -1 when there are not so many. */
function back(text: string, at: number, points: number): number {
  let result = at
  for (let left = points; left > 0; left--) {
    if (result <= 0) return -1
    result -= result > 1 && isPair(text, result - 2) ? 2 : 1
  }
  return result
}
