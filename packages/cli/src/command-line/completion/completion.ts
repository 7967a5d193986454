import type { Shell } from '../command.js'
import type { Program } from '../program.js'
import { OMEN } from '../verbs.js'
import { bashCompletion } from './bash.js'
import { fishCompletion } from './fish.js'
import { zshCompletion } from './zsh.js'

const SHELLS: Readonly<Record<Shell, (program: Program) => string>> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
  kubectl: kubectlCompletion,
}

/**
 * A script that completes a program's command line: verbs, flags, their values, files, and the identifiers of the installed
 * rules, which the script gets from the program.
 *
 * @example
 * process.stdout.write(renderCompletion('bash')) // for: source <(omen completion bash)
 */
export function renderCompletion(shell: Shell, program: Program = OMEN): string {
  return SHELLS[shell](program)
}

/**
 * The script that kubectl runs from the PATH, as `kubectl_complete-omen`, to complete the arguments of its plugin. It is given
 * the typed arguments and prints candidates for the last one.
 */
function kubectlCompletion(): string {
  return `#!/bin/sh
# kubectl completes "kubectl omen" with this script: put it on the PATH as kubectl_complete-omen, and make it executable.
exec kubectl-omen __complete "$@"
`
}
