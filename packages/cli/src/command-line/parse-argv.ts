import { parseArgs } from 'node:util'
import { quote } from '@omen/engine/messages'
import { type CheckedFlags, checkFlags, type FlagToken, rejectUnknownFlags } from './check-flags.js'
import { findVerb, knownTopic } from './find-verb.js'
import { callOf, type Operand, type Program, usageOf, type Verb } from './program.js'
import { notAChoice, usageFailure } from './suggest.js'

/** A command line that is valid for a program. */
export type ParsedArgv<Name extends string> =
  | { readonly kind: 'help'; readonly topic: readonly string[] }
  | { readonly kind: 'version' }
  | {
      readonly kind: 'verb'
      readonly verb: Verb<Name>
      readonly flags: CheckedFlags
      readonly operands: readonly string[]
    }

/**
 * Parses arguments by the tables of a program: checks that flags and verbs exist, fit together and have the values they need.
 * Their meaning is left to the caller.
 *
 * `parseArgs` of Node.js splits the arguments (see docs/decisions/0006-argument-parser.md). It is not strict, because its messages
 * contain no suggestions and `--help` must work even when the rest is wrong.
 *
 * @example
 * await parseArgv(['rules', 'list', '--ids'], OMEN, existsSync) // { kind: 'verb', verb: { name: 'rules list', … }, … }
 */
export async function parseArgv<Name extends string>(
  argv: readonly string[],
  program: Program<Name>,
  exists: (path: string) => boolean,
): Promise<ParsedArgv<Name>> {
  const { flags, operands, positionals } = splitArgv(argv, program)
  const given = new Set(flags.map(({ name }) => name))
  const isHelpAValue = flags.some(({ value, inline }) => !inline && (value === '-h' || value === '--help'))
  if (given.has('help') || isHelpAValue) return { kind: 'help', topic: knownTopic(program, positionals) }
  if (given.has('version')) return { kind: 'version' }
  await rejectUnknownFlags(flags, program, positionals)
  const found = await findVerb(program, positionals, given, exists)
  if (found === 'help') return { kind: 'help', topic: positionals.slice(0, 1) }
  const checked = await checkFlags(flags, program, found)
  const rest = operands.slice(found.words.length)
  await checkOperands(rest, program, found)
  return { kind: 'verb', verb: found, flags: checked, operands: rest }
}

interface SplitArgv {
  readonly flags: readonly FlagToken[]
  readonly operands: readonly string[]
  /** The operands before `--`: only these can be verbs. */
  readonly positionals: readonly string[]
}

function splitArgv(argv: readonly string[], program: Program): SplitArgv {
  const options = Object.fromEntries(
    program.flags.map(({ name, short, argument }) => [
      name,
      { type: argument === undefined ? 'boolean' : 'string', ...(short === undefined ? {} : { short }) } as const,
    ]),
  )
  const { tokens } = parseArgs({ args: [...argv], options, strict: false, allowPositionals: true, tokens: true })
  const flags: FlagToken[] = []
  const operands: string[] = []
  let positionals: readonly string[] | undefined
  for (const token of tokens) {
    if (token.kind === 'positional') operands.push(token.value)
    else if (token.kind === 'option') {
      const { name, rawName, value, inlineValue } = token
      flags.push({ name, typed: rawName, argument: argv[token.index]!, value, inline: inlineValue === true })
    } else if (argv[token.index] === '--') positionals ??= [...operands]
    // parseArgs reads a dash after short flags (-q-) as the end of all flags: report it as an unknown flag.
    else flags.push({ name: '-', typed: '--', argument: argv[token.index]!, value: undefined, inline: false })
  }
  return { flags, operands, positionals: positionals ?? operands }
}

async function checkOperands(given: readonly string[], program: Program, verb: Verb): Promise<void> {
  const call = callOf(program, verb)
  const empty = given.indexOf('')
  if (empty >= 0) {
    const name = operandAt(verb.operands, empty)?.name ?? 'argument'
    throw usageFailure(`${name} ${empty + 1} is empty: is a shell variable unset?`, call)
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
    const usage = verb.operands.length === 0 ? 'no arguments' : `only ${usageOf(verb.operands)}`
    throw usageFailure(`${call} takes ${usage}: remove ${quote(excess)}`, call)
  }
  for (const [index, operand] of given.entries()) {
    const choices = operandAt(verb.operands, index)?.choices
    if (choices && !choices.includes(operand)) throw usageFailure(notAChoice(call, operand, choices), call)
  }
}

function operandAt(operands: readonly Operand[], index: number): Operand | undefined {
  const last = operands.at(-1)
  return operands[index] ?? (last?.many ? last : undefined)
}

function articleFor(noun: string): string {
  return /^[aeiou]/.test(noun) ? 'an' : 'a'
}
