/** What a shell offers for a value or an operand. */
export type Completes = 'file' | 'folder' | 'rule' | 'verb'

/** The headings of a help page, in order. */
export const FLAG_GROUPS = {
  read: 'What to read',
  cluster: 'Which cluster',
  match: 'What to match',
  write: 'What to write',
  other: 'Other',
} as const
export type FlagGroup = keyof typeof FLAG_GROUPS

/** A flag. Parsing, help, completion and suggestions are all derived from this record. */
export interface Flag {
  /** The long name, without dashes. */
  readonly name: string
  readonly short?: string
  /** The name of the value in help; a flag without it is a switch. */
  readonly argument?: string
  readonly repeatable?: true
  /** An empty value is allowed, and differs from an absent flag. */
  readonly mayBeEmpty?: true
  /** The names of the verbs that take the flag. */
  readonly verbs: readonly string[] | 'all'
  readonly group: FlagGroup
  /** One line of help, from the user's point of view. */
  readonly about: string
  /** The allowed values, if they can be listed. */
  readonly choices?: readonly string[]
  /** Other spellings of choices. */
  readonly shorthand?: Readonly<Record<string, string>>
  /** The smallest and the largest allowed integer. */
  readonly range?: readonly [number, number]
  readonly completes?: Completes
  /** Examples of values that a shell offers; others are allowed. */
  readonly suggests?: readonly string[]
  /** Names of the same flag in other tools; a user who types one gets a suggestion. */
  readonly alsoCalled?: readonly string[]
  /** Values that belong to another flag, and the hint that names it. */
  readonly mistaken?: { readonly value: RegExp; readonly hint: string }
  /** An alternative, shown when the default verb does not take the flag. */
  readonly elsewhere?: string
}

/** A positional argument after the verb. */
export interface Operand {
  readonly name: string
  readonly optional?: true
  /** It may be repeated; allowed only for the last operand. */
  readonly many?: true
  readonly choices?: readonly string[]
  readonly completes?: Completes
}

export interface Example {
  readonly does: string
  readonly line: string
}

/** An operation of a program. */
export interface Verb<Name extends string = string> {
  readonly name: Name
  /** The words that select the verb; empty for the default verb. */
  readonly words: readonly string[]
  /** The flag that selects the verb, if no word does. */
  readonly byFlag?: string
  /** One line for the list of verbs. */
  readonly summary: string
  /** The paragraphs of its help page. */
  readonly about: readonly string[]
  readonly operands: readonly Operand[]
  readonly examples: readonly Example[]
  /** Words that users may type instead; they get a suggestion. */
  readonly alsoCalled?: readonly string[]
}

/** A verb that needs a second word, such as `rules` in `rules list`. */
export interface VerbGroup {
  readonly word: string
  readonly summary: string
  readonly about: readonly string[]
  readonly examples: readonly Example[]
}

/** Rows of `label  text` under a heading of the main help page. */
export interface HelpTable {
  readonly heading: string
  readonly rows: readonly (readonly [label: string, text: string])[]
}

/** A program with its flags and verbs. The name of a flag is unique in a program and means the same for all verbs. */
export interface Program<Name extends string = string> {
  readonly name: string
  readonly summary: string
  readonly usage: readonly string[]
  readonly flags: readonly Flag[]
  /** The first one is the default verb. */
  readonly verbs: readonly Verb<Name>[]
  readonly groups: readonly VerbGroup[]
  /** The end of the main help page. */
  readonly tables: readonly HelpTable[]
}

/** The flags that a verb takes. */
export function flagsOf(program: Program, verb: Verb): readonly Flag[] {
  return program.flags.filter((flag) => flag.verbs === 'all' || flag.verbs.includes(verb.name))
}

/** How a verb is invoked: `omen rules list`, or `omen -g` for a verb that a flag selects. */
export function callOf(program: Program, verb: Verb): string {
  const flag = program.flags.find(({ name }) => name === verb.byFlag)
  return [program.name, ...verb.words, ...(flag ? [shortestName(flag)] : [])].join(' ')
}

/** The second words of a group: `list`, `show` … */
export function actionsOf(program: Program, group: string): readonly string[] {
  return program.verbs.filter(({ words }) => words.length > 1 && words[0] === group).map(({ words }) => words[1]!)
}

/** The first words of all verbs, without duplicates. */
export function firstWordsOf(program: Program): readonly string[] {
  return [...new Set(program.verbs.flatMap(({ words }) => words.slice(0, 1)))]
}

/** Every help topic: verbs, groups, and an empty list for the program itself. */
export function topicsOf(program: Program): readonly (readonly string[])[] {
  const groups = program.groups.map(({ word }) => [word])
  return [[], ...groups, ...program.verbs.filter(({ words }) => words.length > 0).map(({ words }) => words)]
}

export function shortestName(flag: Flag): string {
  return flag.short === undefined ? `--${flag.name}` : `-${flag.short}`
}

/** The operands as a usage line shows them: `<id> [folder]`, `[path]…`, `bash|zsh|fish`. */
export function usageOf(operands: readonly Operand[]): string {
  return operands
    .map(({ name, choices, optional, many }) => {
      const shown = optional ? `[${name}]` : choices ? choices.join('|') : `<${name}>`
      return many ? `${shown}…` : shown
    })
    .join(' ')
}
