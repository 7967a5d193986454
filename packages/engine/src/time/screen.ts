import { FIELD, HEADER, isDigit, LOCATE, OP } from './program.js'

/** What a line has, as bits, by which most lines without a time are recognized before any program runs. */
export const TRAIT = {
  /** A colon between two digits. */
  clock: 1,
  /** A run of at least LONG_RUN digits. */
  digits: 2,
} as const

export const LONG_RUN = 6

/** The traits of the bytes from `start` to `end`. */
export function traitsOf(bytes: Uint8Array, start: number, end: number): number {
  let traits = 0
  let run = 0
  for (let at = start; at < end; at++) {
    if (isDigit(bytes[at])) {
      if (++run === LONG_RUN) traits |= TRAIT.digits
    } else {
      if (bytes[at] === COLON && run > 0 && at + 1 < end && isDigit(bytes[at + 1])) traits |= TRAIT.clock
      run = 0
    }
  }
  return traits
}

/**
 * The screen of a program: each line in which it finds a time has at least one of these traits. 0 if that cannot be shown; then
 * the program must run on every line.
 */
export function screenOf(program: Uint8Array): number {
  const paths = pathsOf(program)
  return paths.some(({ certain }) => certain === 0) ? 0 : paths.reduce((all, { certain }) => all | certain, 0)
}

/** Whether the times that a program finds have a date. The date of a clock alone is a guess. */
export function readsDate(program: Uint8Array): boolean {
  return pathsOf(program).every(({ hasDate }) => hasDate)
}

function pathsOf(program: Uint8Array): Path[] {
  const keyLength = program[0] === LOCATE.key ? program[2] : 0
  const paths: Path[] = []
  for (let pc = HEADER + keyLength; pc >= 0; pc = paths.at(-1)!.otherwise) paths.push(followPath(program, pc))
  return paths
}

const COLON = 58

/** One way through a program: up to a match, without the alternatives. */
interface Path {
  /** A trait that every match has; 0 if none is certain. */
  readonly certain: number
  readonly hasDate: boolean
  /** Where the next alternative starts, or -1. */
  readonly otherwise: number
}

const DATE_FIELDS: ReadonlySet<number> = new Set([FIELD.year, FIELD.shortYear, FIELD.month, FIELD.day, FIELD.yearDay])

function followPath(program: Uint8Array, start: number): Path {
  let certain = 0
  let hasDate = false
  let otherwise = -1
  /** At least this many digits precede the current position, or a colon after a digit does. */
  let run = 0
  let afterColon = false
  const readDigits = (count: number) => {
    if (afterColon && count > 0) certain |= TRAIT.clock
    afterColon = false
    run += count
    if (run >= LONG_RUN) certain |= TRAIT.digits
  }
  const readOther = () => {
    run = 0
    afterColon = false
  }
  for (let pc = start; ; ) {
    switch (program[pc]) {
      case OP.match:
        return { certain: certain & TRAIT.clock ? TRAIT.clock : certain, hasDate, otherwise }
      case OP.either:
        otherwise = pc + 3 + program[pc + 1] + 256 * program[pc + 2]
        pc += 3
        break
      case OP.bytes:
        for (const byte of program.subarray(pc + 2, pc + 2 + program[pc + 1])) {
          if (isDigit(byte)) readDigits(1)
          else {
            const isAfterDigit = byte === COLON && run > 0
            readOther()
            afterColon = isAfterDigit
          }
        }
        pc += 2 + program[pc + 1]
        break
      case OP.number:
        if (DATE_FIELDS.has(program[pc + 1])) hasDate = true
        readDigits(program[pc + 2])
        pc += 4
        break
      case OP.epoch:
        hasDate = true
        // The years 1990 to 2099 have at least nine digits.
        readDigits(program[pc + 2] === 1 ? 9 : 1)
        pc += 3
        break
      case OP.tai:
        hasDate = true
        // All labels until the year 2106 start with 40000000.
        readDigits(8)
        pc += 1
        break
      case OP.edge:
        pc += 2
        break
      case OP.month:
        hasDate = true
        readOther()
        pc += 2
        break
      case OP.weekday:
      case OP.zone:
        readOther()
        pc += 2
        break
      case OP.meridiem:
        readOther()
        pc += 1
        break
      default:
        // Classes and fractions: they may be empty, or digits.
        readOther()
        pc += 2 + 2 * program[pc + 1]
    }
  }
}
