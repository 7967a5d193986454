import { nearest, orList, quote } from '@omen/engine/messages'
import { knownTopic } from './find-verb.js'
import { callOf, type Flag, flagsOf, type Program, shortestName, usageOf, type Verb } from './program.js'
import { notAChoice, shownFlag, usageFailure } from './suggest.js'

/** A flag as given on the command line. */
export interface FlagToken {
  /** The long name of a known flag; otherwise the typed name without dashes. */
  readonly name: string
  /** `-o` or `--name`. */
  readonly typed: string
  /** The whole argument that contains the flag. */
  readonly argument: string
  readonly value: string | undefined
  /** Whether the value is part of the same argument. */
  readonly inline: boolean
}

/** The values of the given flags, by long name. The list of a switch is empty. */
export type CheckedFlags = ReadonlyMap<string, readonly string[]>

/** Throws for a flag that no verb of the program takes. */
export async function rejectUnknownFlags(
  tokens: readonly FlagToken[],
  program: Program,
  positionals: readonly string[],
): Promise<void> {
  const unknown = tokens.find((token) => !isKnown(token, program))
  if (unknown === undefined) return
  const topic = knownTopic(program, positionals)
  const verb = program.verbs.find(({ words }) => words.join(' ') === topic.join(' '))
  const long = withOneDash(unknown, program.flags)
  const message = long
    ? `unknown flag -${long.name}. Did you mean --${long.name}?`
    : await explainUnknown(unknown, verb ? flagsOf(program, verb) : program.flags)
  throw usageFailure(message, [program.name, ...topic].join(' '))
}

function isKnown(token: FlagToken, program: Program): boolean {
  return program.flags.some(({ name }) => name === token.name) && withOneDash(token, program.flags) === undefined
}

/** `-rules` would be read as `-r` with the value "ules", but is most likely a mistyped `--rules`. */
function withOneDash({ argument }: FlagToken, flags: readonly Flag[]): Flag | undefined {
  if (argument.length < 4 || argument.startsWith('--')) return undefined
  const name = argument.slice(1).split('=', 1)[0]
  return flags.find((flag) => flag.name === name)
}

async function explainUnknown(token: FlagToken, candidates: readonly Flag[]): Promise<string> {
  const switchWithValue = token.typed === '-=' ? /^-(\w)+=/.exec(token.argument) : undefined
  if (switchWithValue) return `-${switchWithValue[1]} takes no value: ${shownFlag(token.argument)}`
  const meant = await meantFlag(token, candidates)
  return `unknown flag ${shownUnknown(token)}.${meant ? ` Did you mean ${meant}?` : ''}`
}

/** Checks that the verb takes every flag, that each has the value it needs, and that none is given too often. */
export async function checkFlags(tokens: readonly FlagToken[], program: Program, verb: Verb): Promise<CheckedFlags> {
  const call = callOf(program, verb)
  const taken = flagsOf(program, verb)
  const checked = new Map<string, readonly string[]>()
  for (const token of tokens) {
    const flag = program.flags.find(({ name }) => name === token.name)!
    if (!taken.includes(flag)) throw usageFailure(notTaken(program, flag, token, call), call)
    const before = checked.get(flag.name)
    if (flag.argument === undefined) {
      if (token.value !== undefined)
        throw usageFailure(`${token.typed} takes no value: ${shownFlag(token.argument)}`, call)
      checked.set(flag.name, [])
      continue
    }
    if (before && !flag.repeatable) throw usageFailure(`${namesOf(flag)} may be given only once`, call)
    checked.set(flag.name, [...(before ?? []), await readValue(flag, token, call)])
  }
  return checked
}

async function readValue(flag: Flag, token: FlagToken, call: string): Promise<string> {
  const { typed, value, inline } = token
  if (value === undefined) throw usageFailure(`${typed} needs a value: ${typed} <${flag.argument}>`, call)
  // After a forgotten value, the next flag would become the value: omen -o -q would write a file named "-q".
  if (!inline && /^-[-A-Za-z]/.test(value)) {
    const explicit = `--${flag.name}=${/^[\w.:/-]+$/.test(value) ? value : quote(value)}`
    throw usageFailure(
      `${typed} needs a value, and ${shownFlag(value)} looks like a flag. If it is the value, write ${explicit}`,
      call,
    )
  }
  // -o=x means -o x, as in other tools.
  const isShortWithEquals = inline && !typed.startsWith('--') && value.startsWith('=')
  return checkedValue(flag, typed, isShortWithEquals ? value.slice(1) : value, call)
}

async function checkedValue(flag: Flag, typed: string, value: string, call: string): Promise<string> {
  if (value === '' && !flag.mayBeEmpty) {
    throw usageFailure(`${typed} needs a non-empty value: ${typed} <${flag.argument}>`, call)
  }
  if (flag.range && !isWithin(value, flag.range)) {
    const [from, to] = flag.range
    throw usageFailure(`${typed} takes a whole number from ${from} to ${to}, not ${quote(value)}`, call)
  }
  if (!flag.choices) return value
  const choice = flag.shorthand && Object.hasOwn(flag.shorthand, value) ? flag.shorthand[value]! : value
  if (flag.choices.includes(choice)) return choice
  const hint = flag.mistaken?.value.test(value) ? ` ${flag.mistaken.hint}` : ''
  throw usageFailure(`${notAChoice(typed, value, flag.choices)}${hint}`, call)
}

function isWithin(value: string, [from, to]: readonly [number, number]): boolean {
  return /^\d{1,9}$/.test(value) && Number(value) >= from && Number(value) <= to
}

function notTaken(program: Program, flag: Flag, token: FlagToken, call: string): string {
  const takers = program.verbs.filter((verb) => flagsOf(program, verb).includes(flag))
  // A group is named once, not with each of its actions.
  const calls = new Set(
    takers.map((verb) => (verb.words[0] ? `${program.name} ${verb.words[0]}` : callOf(program, verb))),
  )
  if (calls.delete(program.name)) calls.add(`${program.name} ${usageOf(program.verbs[0]!.operands)}`)
  const alternative = flag.elsewhere && call === program.name ? ` ${flag.elsewhere}` : ''
  return `${call} does not take ${token.typed}; use it with ${orList([...calls])}.${alternative}`
}

async function meantFlag({ name, typed }: FlagToken, candidates: readonly Flag[]): Promise<string | undefined> {
  if (!typed.startsWith('--')) {
    // Any two letters are one edit apart, so the only guess is the other case of the letter.
    const otherCase = name === name.toLowerCase() ? name.toUpperCase() : name.toLowerCase()
    const meant = candidates.find(({ short }) => short === otherCase)
    return meant && namesOf(meant)
  }
  // Real names come first, so that they win over synonyms at the same distance.
  const flagsByName = new Map(candidates.map((flag) => [flag.name, flag]))
  for (const flag of candidates) for (const other of flag.alsoCalled ?? []) flagsByName.set(other, flag)
  const near = nearest(name, flagsByName.keys())
  return near === undefined ? undefined : namesOf(flagsByName.get(near)!)
}

function shownUnknown({ typed, argument }: FlagToken): string {
  if (typed.startsWith('--') && argument.startsWith('--')) return shownFlag(typed)
  return typed === argument || !/^-\w$/.test(typed) ? shownFlag(argument) : `${typed} (in ${shownFlag(argument)})`
}

function namesOf(flag: Flag): string {
  return flag.short === undefined ? `--${flag.name}` : `${shortestName(flag)} (--${flag.name})`
}
