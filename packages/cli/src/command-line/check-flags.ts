import { nearest, orList, quote } from '@omen/engine/messages'
import { knownTopic } from './find-verb.js'
import { callOf, type Flag, flagsOf, type Program, shortestName, usageOf, type Verb } from './program.js'
import { notAChoice, shownFlag, usageFailure } from './suggest.js'

/** A flag as it stands on the command line. */
export interface FlagToken {
  /** The long name where it is known, else what was typed without dashes. */
  readonly name: string
  /** `-o` or `--name`. */
  readonly typed: string
  /** The whole word it stands in. */
  readonly word: string
  readonly value: string | undefined
  /** The value stands in the same word. */
  readonly inline: boolean
}

/** The values of the flags that were given, by long name. A switch has none. */
export type CheckedFlags = ReadonlyMap<string, readonly string[]>

/** Refuses flags that the program does not know, whatever the verb. */
export async function refuseUnknown(
  tokens: readonly FlagToken[],
  program: Program,
  verbWords: readonly string[],
): Promise<void> {
  const unknown = tokens.find((token) => !isKnown(token, program))
  if (unknown === undefined) return
  const topic = knownTopic(program, verbWords)
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

/** `-rules` would be `-r` with the value "ules"; whoever types it means `--rules`. */
function withOneDash({ word }: FlagToken, flags: readonly Flag[]): Flag | undefined {
  if (word.length < 4 || word.startsWith('--')) return undefined
  const name = word.slice(1).split('=', 1)[0]
  return flags.find((flag) => flag.name === name)
}

async function explainUnknown(token: FlagToken, candidates: readonly Flag[]): Promise<string> {
  const switchWithValue = token.typed === '-=' ? /^-(\w)+=/.exec(token.word) : undefined
  if (switchWithValue) return `-${switchWithValue[1]} takes no value: ${shownFlag(token.word)}`
  const meant = await meantFlag(token, candidates)
  return `unknown flag ${shownUnknown(token)}.${meant ? ` Did you mean ${meant}?` : ''}`
}

/** Checks that the verb takes the flags, that each has the value it needs, and none is given too often. */
export async function checkFlags(tokens: readonly FlagToken[], program: Program, verb: Verb): Promise<CheckedFlags> {
  const call = callOf(program, verb)
  const taken = flagsOf(program, verb)
  const checked = new Map<string, readonly string[]>()
  for (const token of tokens) {
    const flag = program.flags.find(({ name }) => name === token.name)!
    if (!taken.includes(flag)) throw usageFailure(notTaken(program, flag, token, call), call)
    const before = checked.get(flag.name)
    if (flag.argument === undefined) {
      if (token.value !== undefined) throw usageFailure(`${token.typed} takes no value: ${shownFlag(token.word)}`, call)
      checked.set(flag.name, [])
      continue
    }
    if (before && !flag.repeatable) throw usageFailure(`${namesOf(flag)} may be given once only`, call)
    checked.set(flag.name, [...(before ?? []), await readValue(flag, token, call)])
  }
  return checked
}

async function readValue(flag: Flag, token: FlagToken, call: string): Promise<string> {
  const { typed, value, inline } = token
  if (value === undefined) throw usageFailure(`${typed} needs a value: ${typed} <${flag.argument}>`, call)
  // A forgotten value would swallow the next flag: omen -o -q would write a file named "-q".
  if (!inline && /^-[-A-Za-z]/.test(value)) {
    const way = `--${flag.name}=${/^[\w.:/-]+$/.test(value) ? value : quote(value)}`
    throw usageFailure(
      `${typed} needs a value, and ${shownFlag(value)} looks like a flag. If it is the value: ${way}`,
      call,
    )
  }
  // As other tools do it, -o=x is -o x.
  const isShortWithEquals = inline && !typed.startsWith('--') && value.startsWith('=')
  return checkedValue(flag, typed, isShortWithEquals ? value.slice(1) : value, call)
}

async function checkedValue(flag: Flag, typed: string, value: string, call: string): Promise<string> {
  if (value === '' && !flag.mayBeEmpty) {
    throw usageFailure(`${typed} needs a value that is not empty: ${typed} <${flag.argument}>`, call)
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
  // One mention for all actions of a group.
  const calls = new Set(
    takers.map((verb) => (verb.words[0] ? `${program.name} ${verb.words[0]}` : callOf(program, verb))),
  )
  if (calls.delete(program.name)) calls.add(`${program.name} ${usageOf(program.verbs[0]!.operands)}`)
  const wayOut = flag.elsewhere && call === program.name ? ` ${flag.elsewhere}` : ''
  return `${call} takes no ${token.typed}; it goes with ${orList([...calls])}.${wayOut}`
}

async function meantFlag({ name, typed }: FlagToken, candidates: readonly Flag[]): Promise<string | undefined> {
  if (!typed.startsWith('--')) {
    // One letter is near every other: only its other case is a guess worth making.
    const otherCase = name === name.toLowerCase() ? name.toUpperCase() : name.toLowerCase()
    const meant = candidates.find(({ short }) => short === otherCase)
    return meant && namesOf(meant)
  }
  // Our own names come first: of two that are equally near, they are taken.
  const flagsByName = new Map(candidates.map((flag) => [flag.name, flag]))
  for (const flag of candidates) for (const other of flag.alsoCalled ?? []) flagsByName.set(other, flag)
  const near = nearest(name, flagsByName.keys())
  return near === undefined ? undefined : namesOf(flagsByName.get(near)!)
}

function shownUnknown({ typed, word }: FlagToken): string {
  if (typed.startsWith('--') && word.startsWith('--')) return shownFlag(typed)
  return typed === word || !/^-\w$/.test(typed) ? shownFlag(word) : `${typed} (in ${shownFlag(word)})`
}

function namesOf(flag: Flag): string {
  return flag.short === undefined ? `--${flag.name}` : `${shortestName(flag)} (--${flag.name})`
}
