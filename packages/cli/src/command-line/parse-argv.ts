import { parseArgs } from 'node:util'
import { quote } from '@omen/engine/messages'
import { type CheckedFlags, checkFlags, type FlagToken, refuseUnknown } from './check-flags.js'
import { findVerb, knownTopic } from './find-verb.js'
import { callOf, type Operand, type Program, usageOf, type Verb } from './program.js'
import { notAChoice, usageFailure } from './suggest.js'

/** What a command line asks of a program. */
export type Line<Name extends string> =
  | { readonly asks: 'help'; readonly topic: readonly string[] }
  | { readonly asks: 'version' }
  | {
      readonly asks: 'verb'
      readonly verb: Verb<Name>
      readonly flags: CheckedFlags
      readonly operands: readonly string[]
    }

/**
 * Reads the words of a command line by the tables of a program. What a flag or a verb means is left to the caller; that
 * they exist, belong together and have the values they need is checked here.
 *
 * Words are split by Node's own `parseArgs`, which costs a millisecond where the well-known libraries cost twenty; it is
 * not strict, because its messages suggest nothing and `--help` must work whatever else is wrong.
 */
export async function readLine<Name extends string>(
  words: readonly string[],
  program: Program<Name>,
  exists: (path: string) => boolean,
): Promise<Line<Name>> {
  const { flags, operands, verbWords } = splitWords(words, program)
  const given = new Set(flags.map(({ name }) => name))
  const helpIsTakenForAValue = flags.some(({ value, inline }) => !inline && (value === '-h' || value === '--help'))
  if (given.has('help') || helpIsTakenForAValue) return { asks: 'help', topic: knownTopic(program, verbWords) }
  if (given.has('version')) return { asks: 'version' }
  await refuseUnknown(flags, program, verbWords)
  const found = await findVerb(program, verbWords, given, exists)
  if (found === 'help') return { asks: 'help', topic: verbWords.slice(0, 1) }
  const checked = await checkFlags(flags, program, found)
  const rest = operands.slice(found.words.length)
  await checkOperands(rest, program, found)
  return { asks: 'verb', verb: found, flags: checked, operands: rest }
}

interface SplitWords {
  readonly flags: readonly FlagToken[]
  readonly operands: readonly string[]
  /** The operands that may be verbs: those before `--`. */
  readonly verbWords: readonly string[]
}

function splitWords(words: readonly string[], program: Program): SplitWords {
  const options = Object.fromEntries(
    program.flags.map(({ name, short, argument }) => [
      name,
      { type: argument === undefined ? 'boolean' : 'string', ...(short === undefined ? {} : { short }) } as const,
    ]),
  )
  const { tokens } = parseArgs({ args: [...words], options, strict: false, allowPositionals: true, tokens: true })
  const flags: FlagToken[] = []
  const operands: string[] = []
  let verbWords: readonly string[] | undefined
  for (const token of tokens) {
    if (token.kind === 'positional') operands.push(token.value)
    else if (token.kind === 'option') {
      const { name, rawName, value, inlineValue } = token
      flags.push({ name, typed: rawName, word: words[token.index]!, value, inline: inlineValue === true })
    } else if (words[token.index] === '--') verbWords ??= [...operands]
    // A dash after short flags (-q-) is read as the end of all flags: it is an unknown flag.
    else flags.push({ name: '-', typed: '--', word: words[token.index]!, value: undefined, inline: false })
  }
  return { flags, operands, verbWords: verbWords ?? operands }
}

async function checkOperands(given: readonly string[], program: Program, verb: Verb): Promise<void> {
  const call = callOf(program, verb)
  const empty = given.indexOf('')
  if (empty >= 0) {
    const name = operandAt(verb.operands, empty)?.name ?? 'word'
    throw usageFailure(`${name} ${empty + 1} is empty: is a variable not set?`, call)
  }
  const missing = verb.operands.find(({ optional }, index) => !optional && index >= given.length)
  if (missing) {
    throw usageFailure(
      `${call} needs ${articleFor(missing.name)} ${missing.name}: ${call} ${usageOf(verb.operands)}`,
      call,
    )
  }
  const excess = given.find((_, index) => operandAt(verb.operands, index) === undefined)
  if (excess !== undefined) {
    const usage = verb.operands.length === 0 ? 'nothing more' : usageOf(verb.operands)
    throw usageFailure(`${call} takes ${usage}: ${quote(excess)} is too much`, call)
  }
  for (const [index, word] of given.entries()) {
    const choices = operandAt(verb.operands, index)?.choices
    if (choices && !choices.includes(word)) throw usageFailure(notAChoice(call, word, choices), call)
  }
}

function operandAt(operands: readonly Operand[], index: number): Operand | undefined {
  const last = operands.at(-1)
  return operands[index] ?? (last?.many ? last : undefined)
}

function articleFor(noun: string): string {
  return /^[aeiou]/.test(noun) ? 'an' : 'a'
}
