import { type Flag, firstWordsOf, type Operand, type Program } from '../program.js'
import {
  choicesOf,
  describedActions,
  describedFirstWords,
  functionName,
  inQuotes,
  namesOf,
  pendingCluster,
  type ShellVerb,
  shellVerbs,
  takesValue,
} from './shell-verbs.js'

/**
 * The script for zsh: it can be sourced, or stored as `_omen` in a folder of `$fpath`. The verb is removed from the words first, so
 * that flags may appear before and after it; `_arguments` does the rest.
 */
export function zshCompletion(program: Program): string {
  const main = functionName(program)
  return `#compdef ${program.name}
# zsh completion for ${program.name}. To load it: source <(${program.name} completion zsh)

${main}_rule_ids() {
  local -a ids expl
  ids=(\${(f)"$(_call_program rules \${(q)omen_program} rules list --ids </dev/null 2>/dev/null)"})
  _wanted rules expl rule compadd -M 'm:{[:lower:]}={[:upper:]}' -a ids
}

${main}_verbs() {
  local -a verbs=(${described(describedFirstWords(program))})
  _describe -t verbs verb verbs
}

${main}_verbs_and_files() {
  if [[ -n $ended ]]; then
    _files
  else
    _alternative 'verbs:verb:${main}_verbs' 'files:file:_files'
  fi
}
${program.groups.map((group) => actionsFunction(main, program, group.word)).join('')}
${main}_topics() {
  case $words[CURRENT-1] in
${program.groups.map(({ word }) => `    ${word}) ${main}_actions_of_${word} ;;`).join('\n')}
    *) ((CURRENT == 2)) && ${main}_verbs ;;
  esac
}

${main}() {
  local omen_program=$words[1] verb='' word pending='' ended=''
  local -a kept=($words[1])
  integer i
  for ((i = 2; i < CURRENT; i++)); do
    word=$words[i]
    if [[ -n $pending ]]; then
      pending=''
    elif [[ -n $ended ]]; then
      :
    elif [[ $word == -- ]]; then
      ended=1
    elif [[ $word == -?* ]]; then
      [[ $word == (${program.flags.filter(takesValue).flatMap(namesOf).join('|')}) || $word =~ ${inQuotes(pendingCluster(program))} ]] && pending=1
${verbBranches(program)}    else
      ended=1
    fi
    kept+=("$word")
  done
  words=("\${kept[@]}" "\${(@)words[CURRENT,-1]}")
  CURRENT=$((\${#kept} + 1))
  case $verb in
${shellVerbs(program)
  .map((verb) => verbCase(main, verb))
  .join('\n')}
${program.groups.map(({ word }) => `    ${word}) ${main}_actions_of_${word} ;;`).join('\n')}
  esac
}

if [[ $funcstack[1] == ${main} ]]; then
  ${main} "$@"
else
  (($+functions[compdef])) || { autoload -Uz compinit && compinit -i }
  compdef ${main} ${program.name}
fi
`
}

/** zsh rejects a pattern without alternatives, so a branch without any is left out. */
function verbBranches(program: Program): string {
  const verbs = `    elif [[ -z $verb && $word == (${firstWordsOf(program).join('|')}) ]]; then
      verb=$word
      continue
`
  const actions = `    elif [[ $verb == (${program.groups.map(({ word }) => word).join('|')}) ]]; then
      verb+=" $word"
      continue
`
  return (firstWordsOf(program).length > 0 ? verbs : '') + (program.groups.length > 0 ? actions : '')
}

function actionsFunction(main: string, program: Program, group: string): string {
  return `
${main}_actions_of_${group}() {
  local -a actions=(${described(describedActions(program, group))})
  _describe -t actions action actions
}
`
}

function described(words: readonly (readonly [string, string])[]): string {
  return words.map(([word, summary]) => inQuotes(`${word}:${summary.replaceAll(':', '\\:')}`)).join(' ')
}

function verbCase(main: string, { words, flags, operands }: ShellVerb): string {
  const first = words.length === 0 ? [`'1: :${main}_verbs_and_files'`] : []
  const specs = [...flags.flatMap((flag) => flagSpecs(main, flag)), ...first, ...operands.map(operandSpec(main))]
  return `    ${inQuotes(words.join(' '))})
      _arguments -s -S \\
        ${specs.join(' \\\n        ')} ;;`
}

/** Short and long name exclude each other, unless the flag may be repeated. */
function flagSpecs(main: string, flag: Flag): readonly string[] {
  const names = namesOf(flag)
  const before = flag.repeatable ? '*' : names.length > 1 ? `(${names.join(' ')})` : ''
  const about = flag.about.replace(/[[\]:\\]/g, '\\$&')
  return names.map((name) => {
    const value = takesValue(flag) ? `:${flag.argument}:${action(main, flag)}` : ''
    const joint = value === '' ? '' : name.startsWith('--') ? '=' : '+'
    return inQuotes(`${before}${name}${joint}[${about}]${value}`)
  })
}

function operandSpec(main: string) {
  return (operand: Operand, index: number): string =>
    inQuotes(`${operand.many ? '*' : index + 1}:${operand.name}:${action(main, operand)}`)
}

function action(main: string, taker: Operand | Flag): string {
  const choices = choicesOf(taker)
  if (choices.length > 0) return `(${choices.join(' ')})`
  const actions = { file: '_files', folder: '_files -/', rule: `${main}_rule_ids`, verb: `${main}_topics` }
  return taker.completes ? actions[taker.completes] : '()'
}
