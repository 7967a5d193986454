import { actionsOf, type Completes, type Flag, firstWordsOf, type Operand, type Program } from '../program.js'
import {
  choicesOf,
  functionName,
  inQuotes,
  namesOf,
  pendingCluster,
  type ShellVerb,
  shellVerbs,
  takesValue,
} from './shell-verbs.js'

/**
 * The script for bash 3.2 (which macOS has) and later, without bash-completion. Where a file is expected, it offers nothing, and
 * `-o default` lets readline complete file names, which handles quotes, tildes and spaces.
 */
export function bashCompletion(program: Program): string {
  const main = functionName(program)
  return `# bash completion for ${program.name}. To load it: source <(${program.name} completion bash)

${main}_words() {
  COMPREPLY=($(compgen -W "$1" -P "$prefix" -- "$cur"))
  # Without a match, do not fall back to file names.
  compopt +o default +o bashdefault 2>/dev/null
}

${main}_folders() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen -d -P "$prefix" -- "$cur"))
  compopt -o filenames 2>/dev/null
}

${main}_files() {
  # Where = does not break words, readline does not know where the file name begins.
  local IFS=$'\\n'
  [[ -z $prefix ]] || COMPREPLY=($(compgen -f -P "$prefix" -- "$cur"))
}

${main}_verbs_and_files() {
  local file
  COMPREPLY=($(compgen -W "$1" -- "$cur"))
  ((\${#COMPREPLY[@]})) || return
  while IFS= read -r file; do
    [[ -d $file ]] && file+=/
    COMPREPLY+=("$(printf %q "$file")")
  done < <(compgen -f -- "$cur")
}

${main}_rule_ids() {
  local id
  COMPREPLY=()
  # Not compgen -W: it would expand command substitutions in an identifier.
  while IFS= read -r id; do
    [[ $id == "$cur"* && $id =~ ^[A-Za-z0-9._:-]+$ ]] && COMPREPLY+=("$id")
  done < <("\${program/#\\~/$HOME}" rules list --ids </dev/null 2>/dev/null)
  compopt +o default +o bashdefault 2>/dev/null
  # Identifiers are matched regardless of case: cre-2026 finds CRE-2026.
  local upper=$(printf %s "$cur" | tr '[:lower:]' '[:upper:]')
  if ((!\${#COMPREPLY[@]})) && [[ $cur != "$upper" ]]; then
    cur=$upper
    ${main}_rule_ids
  fi
}

${main}() {
  local program=$1 cur=\${COMP_WORDS[COMP_CWORD]} prefix='' verb='' pending='' ended='' count=0 i word
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    if [[ -n $pending ]]; then
      # bash splits --flag=value into three words.
      [[ $word == = ]] || pending=''
    elif [[ -z $ended && $word == -- ]]; then
      ended=1
    elif [[ -z $ended && $word == -?* ]]; then
      case $word in
        ${valuedFlags(program).flatMap(namesOf).join('|')}) pending=$word ;;
        *) [[ $word =~ ${pendingCluster(program)} ]] && pending=-\${word: -1} ;;
      esac
    elif [[ -z $ended && -z $verb && $count -eq 0 && ' ${firstWordsOf(program).join(' ')} ' == *" $word "* ]]; then
      verb=$word
${actionBranch(program)}    else
      ((count++))
    fi
  done
  if [[ -n $pending ]]; then
    [[ $cur == = ]] && cur=''
  elif [[ -z $ended && $cur == --*=* ]]; then
    pending=\${cur%%=*} prefix=$pending= cur=\${cur#*=}
  fi
  if [[ -n $pending ]]; then
    case $pending in
${valuedFlags(program).map(valueCase(main)).join('\n')}
    esac
  elif [[ -z $ended && $cur == -* ]]; then
    case $verb in
${shellVerbs(program).map(flagsCase(main)).join('\n')}
    esac
  else
    case "$verb $count$ended" in
${shellVerbs(program).flatMap(operandCases(main, program)).join('\n')}
${program.groups.map(({ word }) => `      ${inQuotes(`${word} 0`)}) ${main}_words ${inQuotes(actionsOf(program, word).join(' '))} ;;`).join('\n')}
      *) compopt +o default +o bashdefault 2>/dev/null ;;
    esac
  fi
}

complete -o bashdefault -o default -F ${main} ${program.name}
`
}

function valuedFlags(program: Program): readonly Flag[] {
  return program.flags.filter(takesValue)
}

function actionBranch(program: Program): string {
  if (program.groups.length === 0) return ''
  return `    elif [[ -z $ended && $count -eq 0 && ' ${groupWords(program).join(' ')} ' == *" $verb "* ]]; then
      verb+=" $word"
`
}

function groupWords(program: Program): readonly string[] {
  return program.groups.map(({ word }) => word)
}

function valueCase(main: string) {
  return (flag: Flag) => `      ${namesOf(flag).join('|')}) ${offer(main, flag.completes, choicesOf(flag))} ;;`
}

function flagsCase(main: string) {
  return ({ words, flags }: ShellVerb) =>
    `      ${inQuotes(words.join(' '))}) ${main}_words ${inQuotes(flags.flatMap(namesOf).join(' '))} ;;`
}

/** One case per operand; a repeatable one matches every further position. */
function operandCases(main: string, program: Program) {
  return ({ words, operands }: ShellVerb): readonly string[] => {
    const verb = words.join(' ')
    const first =
      verb === '' ? [`      ' 0') ${main}_verbs_and_files ${inQuotes(firstWordsOf(program).join(' '))} ;;`] : []
    const rest = operands.flatMap((operand, index) => operandCase(main, program, verb, operand, index))
    return [...first, ...rest]
  }
}

function operandCase(main: string, program: Program, verb: string, operand: Operand, index: number): readonly string[] {
  const at = operand.many ? `${inQuotes(`${verb} `)}*` : inQuotes(`${verb} ${index}`)
  if (operand.completes !== 'verb') return [`      ${at}) ${offer(main, operand.completes, choicesOf(operand))} ;;`]
  const actions = groupWords(program).map(
    (group) => `${group}) ${main}_words ${inQuotes(actionsOf(program, group).join(' '))} ;; `,
  )
  const top = `${main}_words ${inQuotes(firstWordsOf(program).join(' '))}`
  return [
    `      ${inQuotes(`${verb} 0`)}) ${top} ;;`,
    `      ${inQuotes(`${verb} 1`)}) case \${COMP_WORDS[COMP_CWORD - 1]} in ${actions.join('')}*) ${main}_words '' ;; esac ;;`,
  ]
}

function offer(main: string, completes: Completes | undefined, choices: readonly string[]): string {
  if (choices.length > 0) return `${main}_words ${inQuotes(choices.join(' '))}`
  if (completes === 'folder') return `${main}_folders`
  if (completes === 'rule') return `${main}_rule_ids`
  return completes === 'file' ? `${main}_files` : `${main}_words ''`
}
