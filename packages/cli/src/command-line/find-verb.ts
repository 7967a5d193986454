import { nearest, orList, quote } from '@omen/engine/messages'
import { actionsOf, callOf, firstWordsOf, type Program, shortestName, usageOf, type Verb } from './program.js'
import { usageFailure } from './suggest.js'

/**
 * The verb that the positional arguments select, or `help` for the `help` action of a group. Throws when the first one is neither a
 * verb nor an existing path but is close to a verb; otherwise it is an operand of the default verb.
 */
export async function findVerb<Name extends string>(
  program: Program<Name>,
  positionals: readonly string[],
  givenFlags: ReadonlySet<string>,
  exists: (path: string) => boolean,
): Promise<Verb<Name> | 'help'> {
  const [first, second] = positionals
  if (first !== undefined && program.groups.some(({ word }) => word === first))
    return findAction(program, first, second)
  const verb = program.verbs.find((candidate) => candidate.words.length === 1 && candidate.words[0] === first)
  if (verb) return verb
  if (first !== undefined) await rejectMistypedVerb(program, first, exists)
  return verbByFlag(program, givenFlags) ?? program.verbs[0]!
}

/** The longest prefix of the positional arguments that is a help topic. */
export function knownTopic(program: Program, positionals: readonly string[]): readonly string[] {
  const isHelp = positionals[0] === 'help'
  const [first, second] = isHelp ? positionals.slice(1) : positionals
  if (first === undefined || !firstWordsOf(program).includes(first)) return isHelp ? ['help'] : []
  return second !== undefined && actionsOf(program, first).includes(second) ? [first, second] : [first]
}

/** Throws for an unknown help topic, and suggests the nearest known one. */
export async function checkTopic(program: Program, topic: readonly string[]): Promise<void> {
  const [first, second, ...more] = topic
  if (first === undefined) return
  const call = `${program.name} help`
  const verbs = firstWordsOf(program)
  if (!verbs.includes(first)) {
    const meant = nearest(first, verbs)
    const hint = meant ? `Did you mean ${call} ${meant}?` : `There is help for ${orList(verbs)}.`
    throw usageFailure(`there is no help for ${quote(first)}. ${hint}`, program.name)
  }
  const actions = actionsOf(program, first)
  const excess = second !== undefined && !actions.includes(second) ? second : more[0]
  if (excess === undefined) return
  const meant = nearest(excess, excess === second ? actions : [])
  const hint = meant ? ` Did you mean ${call} ${first} ${meant}?` : ''
  throw usageFailure(`there is no help for ${quote(topic.join(' '))}.${hint}`, `${program.name} ${first}`)
}

async function findAction<Name extends string>(
  program: Program<Name>,
  group: string,
  action: string | undefined,
): Promise<Verb<Name> | 'help'> {
  const call = `${program.name} ${group}`
  const actions = actionsOf(program, group)
  if (action === undefined) throw usageFailure(`${call} needs one of ${orList(actions)}`, call)
  if (action === 'help') return 'help'
  const verb = program.verbs.find(({ words }) => words[0] === group && words[1] === action)
  if (verb) return verb
  const meant =
    nearest(action, actions) ??
    program.verbs.find(({ words, alsoCalled }) => words[0] === group && alsoCalled?.includes(action))?.words[1]
  const hint = meant ? `Did you mean ${call} ${meant}?` : `It takes ${orList(actions)}.`
  throw usageFailure(`${call} has no ${quote(action)}. ${hint}`, call)
}

async function rejectMistypedVerb(program: Program, word: string, exists: (path: string) => boolean): Promise<void> {
  // A word with a dot or a slash is a path, not a mistyped verb.
  if (!/^[A-Za-z-]{2,20}$/.test(word) || exists(word)) return
  const sameMeaning = program.verbs.find(({ alsoCalled }) => alsoCalled?.includes(word.toLowerCase()))
  const near = sameMeaning ? undefined : nearest(word, firstWordsOf(program))
  const verb = sameMeaning ?? program.verbs.find(({ words }) => words[0] === near && words.length === 1)
  const meant = verb
    ? `${callOf(program, verb)} ${usageOf(verb.operands)}`.trimEnd()
    : near && `${program.name} ${near}`
  if (meant) throw usageFailure(`there is no verb or path ${quote(word)}. Did you mean ${meant}?`, program.name)
}

function verbByFlag<Name extends string>(program: Program<Name>, given: ReadonlySet<string>): Verb<Name> | undefined {
  const selected = program.verbs.filter(({ byFlag }) => byFlag !== undefined && given.has(byFlag))
  if (selected.length > 1) {
    const flags = program.flags.filter(({ name }) => selected.some(({ byFlag }) => byFlag === name))
    throw usageFailure(`${flags.map(shortestName).join(' and ')} cannot be combined: give one of them`, program.name)
  }
  return selected[0]
}
