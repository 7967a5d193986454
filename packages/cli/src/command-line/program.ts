/** What a shell offers where a value or an operand goes. */
export type Completes = 'file' | 'folder' | 'rule' | 'verb'

/** The headings of a help page, in their order. */
export const FLAG_GROUPS = {
  read: 'What to read',
  cluster: 'Which cluster',
  match: 'What to match',
  write: 'What to write',
  other: 'Other',
} as const
export type FlagGroup = keyof typeof FLAG_GROUPS

/** A flag: parsing, help, completion and suggestions are all made from its row. */
export interface Flag {
  /** The long name, without dashes. */
  readonly name: string
  readonly short?: string
  /** The name of its value in help; a flag without one is a switch. */
  readonly argument?: string
  readonly repeatable?: true
  /** An empty value says something else than no flag at all. */
  readonly mayBeEmpty?: true
  /** The names of the verbs that take it. */
  readonly verbs: readonly string[] | 'all'
  readonly group: FlagGroup
  /** One line of help: what it does, from the user's side. */
  readonly about: string
  /** The values it takes, when they can be listed. */
  readonly choices?: readonly string[]
  /** Other spellings of choices. */
  readonly shorthand?: Readonly<Record<string, string>>
  /** The whole numbers it takes, from and to. */
  readonly range?: readonly [number, number]
  readonly completes?: Completes
  /** Values that a shell offers among many that are possible. */
  readonly suggests?: readonly string[]
  /** What other tools call it: whoever types that is told our name. */
  readonly alsoCalled?: readonly string[]
  /** Values that mean another flag, and what to say to whoever gives one. */
  readonly mistaken?: { readonly value: RegExp; readonly hint: string }
  /** A way out, for whoever gives it to a verb that does not take it. */
  readonly elsewhere?: string
}

/** A word after the verb. */
export interface Operand {
  readonly name: string
  readonly optional?: true
  /** It may be repeated; only the last one may. */
  readonly many?: true
  readonly choices?: readonly string[]
  readonly completes?: Completes
}

export interface Example {
  readonly does: string
  readonly line: string
}

/** Something a program does. */
export interface Verb<Name extends string = string> {
  readonly name: Name
  /** What is typed to get there: nothing for what the program does by default. */
  readonly words: readonly string[]
  /** The flag that asks for it, where no word does. */
  readonly byFlag?: string
  /** One line for the list of verbs. */
  readonly summary: string
  /** The paragraphs of its help page. */
  readonly about: readonly string[]
  readonly operands: readonly Operand[]
  readonly examples: readonly Example[]
  /** What people may type instead. */
  readonly alsoCalled?: readonly string[]
}

/** A word that needs a second one, as `rules` in `rules list`. */
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

/** A program with its flags and verbs. Names of flags are unique in a program: a name means one thing for all its verbs. */
export interface Program<Name extends string = string> {
  readonly name: string
  readonly summary: string
  readonly usage: readonly string[]
  readonly flags: readonly Flag[]
  /** The first is what the program does without a verb. */
  readonly verbs: readonly Verb<Name>[]
  readonly groups: readonly VerbGroup[]
  /** The end of the main help page. */
  readonly tables: readonly HelpTable[]
}

/** The flags that a verb takes. */
export function flagsOf(program: Program, verb: Verb): readonly Flag[] {
  return program.flags.filter((flag) => flag.verbs === 'all' || flag.verbs.includes(verb.name))
}

/** A verb as it is typed: `omen rules list`, or `omen -g` for what a flag asks for. */
export function callOf(program: Program, verb: Verb): string {
  const flag = program.flags.find(({ name }) => name === verb.byFlag)
  return [program.name, ...verb.words, ...(flag ? [shortestName(flag)] : [])].join(' ')
}

/** The actions of a group, as words: `list`, `show` … */
export function actionsOf(program: Program, group: string): readonly string[] {
  return program.verbs.filter(({ words }) => words.length > 1 && words[0] === group).map(({ words }) => words[1]!)
}

/** The words that can stand where a verb goes, each once. */
export function firstWordsOf(program: Program): readonly string[] {
  return [...new Set(program.verbs.flatMap(({ words }) => words.slice(0, 1)))]
}

/** The verbs and groups that can be asked about: nothing is the program itself. */
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
