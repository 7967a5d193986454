import { type Flag, firstWordsOf, type Operand, type Program } from '../program.js'
import {
  choicesOf,
  describedActions,
  describedFirstWords,
  functionName,
  namesOf,
  pendingCluster,
  type ShellVerb,
  shellVerbs,
  takesValue,
} from './shell-verbs.js'

/** The script for fish. Each `complete` line applies to the verbs of its condition; a verb is written with dashes: `rules-list`. */
export function fishCompletion(program: Program): string {
  const main = `_${functionName(program)}`
  const verbs = shellVerbs(program)
  const command = `complete -c ${program.name}`
  return `# fish completion for ${program.name}. To install it:
#   ${program.name} completion fish > ~/.config/fish/completions/${program.name}.fish

# Prints the verb before the cursor, and how many operands follow it.
function ${main}_place
    set -l words (commandline -opc)
    set -l verb
    set -l count 0
    set -l pending 0
    set -l ended 0
    for word in $words[2..-1]
        if test $pending = 1
            set pending 0
        else if test $ended = 0; and test "$word" = --
            set ended 1
        else if test $ended = 0; and string match -q -- '-?*' $word
            contains -- $word ${program.flags.filter(takesValue).flatMap(namesOf).join(' ')}
            or string match -qr -- ${quoted(pendingCluster(program))} $word
            and set pending 1
        else if test $ended = 0; and test $count = 0; and test -z "$verb"; and contains -- $word ${firstWordsOf(program).join(' ')}
            set verb $word
        else if test $ended = 0; and test $count = 0; and contains -- "$verb" ${program.groups.map(({ word }) => word).join(' ')}
            set verb $verb-$word
        else
            set count (math $count + 1)
        end
    end
    test -n "$verb"; or set verb ${DEFAULT_VERB}
    echo $verb
    echo $count
end

# Succeeds if the verb is one of the arguments; "1:verb" also requires that number of operands.
function ${main}_at
    set -l place (${main}_place)
    for wanted in $argv
        contains -- $wanted $place[1] "$place[2]:$place[1]"; and return 0
    end
    return 1
end

function ${main}_rule_ids
    set -l words (commandline -opc)
    $words[1] rules list --ids </dev/null 2>/dev/null
end

${command} -f
${program.flags.map((flag) => `${command} -n ${at(main, takersOf(flag, verbs))} ${flagLine(flag)}`).join('\n')}
${describedFirstWords(program)
  .map(
    ([word, summary]) => `${command} -n ${at(main, [`0:${DEFAULT_VERB}`, '0:help'])} -a ${word} -d ${quoted(summary)}`,
  )
  .join('\n')}
${program.groups
  .flatMap(({ word }) => describedActions(program, word).map(([action, about]) => ({ word, action, about })))
  .map(({ word, action, about }) => {
    const condition = quoted(
      `${main}_at 0:${word}; or begin; ${main}_at 1:help; and contains ${word} (commandline -opc)[-1]; end`,
    )
    return `${command} -n ${condition} -a ${action} -d ${quoted(about)}`
  })
  .join('\n')}
${verbs.flatMap((verb) => verb.operands.flatMap((operand, index) => operandLine(command, main, verb, operand, index))).join('\n')}
`
}

const DEFAULT_VERB = 'scan'

function nameOf(verb: ShellVerb): string {
  return verb.words.length === 0 ? DEFAULT_VERB : verb.words.join('-')
}

function takersOf(flag: Flag, verbs: readonly ShellVerb[]): readonly string[] {
  return verbs.filter(({ flags }) => flags.includes(flag)).map(nameOf)
}

function at(main: string, places: readonly string[]): string {
  return quoted(`${main}_at ${places.join(' ')}`)
}

function flagLine(flag: Flag): string {
  const names = [...(flag.short ? [`-s ${flag.short}`] : []), `-l ${flag.name}`, `-d ${quoted(flag.about)}`]
  return [...names, ...(takesValue(flag) ? [offer(flag, '')] : [])].join(' ')
}

function operandLine(
  command: string,
  main: string,
  verb: ShellVerb,
  operand: Operand,
  index: number,
): readonly string[] {
  // The topics of help are verbs, which have their own lines.
  if (operand.completes === 'verb') return []
  const place = operand.many ? nameOf(verb) : `${index}:${nameOf(verb)}`
  const offered = operand.completes === 'file' ? '-F' : offer(operand, main)
  return offered === '-x' ? [] : [`${command} -n ${at(main, [place])} ${offered.replace(/^-x /, '')}`]
}

/** `-x` requires a value that is not a file, `-r -F` one that is. */
function offer(taker: Flag | Operand, main: string): string {
  const choices = choicesOf(taker)
  if (choices.length > 0) return `-x -a ${quoted(choices.join(' '))}`
  if (taker.completes === 'file') return '-r -F'
  if (taker.completes === 'folder') return "-x -a '(__fish_complete_directories)'"
  return taker.completes === 'rule' ? `-x -a '(${main}_rule_ids)'` : '-x'
}

function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`
}
