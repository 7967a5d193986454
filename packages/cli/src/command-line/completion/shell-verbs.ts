import { type Flag, flagsOf, type Operand, type Program, type Verb } from '../program.js'

/** A string in single quotes for bash and zsh, so that no character in it is special. */
export function inQuotes(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

/** The name of the shell function of a program: `_kubectl_omen`. */
export function functionName(program: Program): string {
  return `_${program.name.replace(/\W/g, '_')}`
}

export function namesOf(flag: Flag): readonly string[] {
  return flag.short === undefined ? [`--${flag.name}`] : [`-${flag.short}`, `--${flag.name}`]
}

export function takesValue(flag: Flag): boolean {
  return flag.argument !== undefined
}

/** The values that a shell can list for a flag or an operand. */
export function choicesOf({ choices, suggests }: Pick<Flag, 'choices' | 'suggests'>): readonly string[] {
  return choices ?? suggests ?? []
}

/** A regular expression for combined short flags of which the last needs a value: `-qo`. */
export function pendingCluster(program: Program): string {
  const shorts = (wanted: boolean) =>
    program.flags
      .filter((flag) => takesValue(flag) === wanted)
      .map(({ short }) => short ?? '')
      .join('')
  return `^-[${shorts(false)}]*[${shorts(true)}]$`
}

/** A verb for completion. The default verb has no words, and also takes the flags of the verbs that are chosen by a flag. */
export interface ShellVerb {
  readonly words: readonly string[]
  readonly summary: string
  readonly flags: readonly Flag[]
  readonly operands: readonly Operand[]
}

export function shellVerbs(program: Program): readonly ShellVerb[] {
  const isDefault = (verb: Verb) => verb.words.length === 0
  const defaults = program.verbs.filter(isDefault)
  const defaultFlags = program.flags.filter((flag) => defaults.some((verb) => flagsOf(program, verb).includes(flag)))
  return program.verbs
    .filter((verb) => !isDefault(verb) || verb === program.verbs[0])
    .map((verb) => ({ ...verb, flags: isDefault(verb) ? defaultFlags : flagsOf(program, verb) }))
}

/** The first words of verbs with their summaries, sorted; a group appears once. */
export function describedFirstWords(program: Program): readonly (readonly [word: string, summary: string])[] {
  const groups = program.groups.map(({ word, summary }) => [word, summary] as const)
  const single = program.verbs.filter(({ words }) => words.length === 1)
  return [...single.map(({ words, summary }) => [words[0]!, summary] as const), ...groups].sort(([a], [b]) =>
    a < b ? -1 : 1,
  )
}

/** The actions of a group with their summaries. */
export function describedActions(
  program: Program,
  group: string,
): readonly (readonly [word: string, summary: string])[] {
  return program.verbs
    .filter(({ words }) => words.length === 2 && words[0] === group)
    .map(({ words, summary }) => [words[1]!, summary] as const)
}
