import type { Shell } from './command.js'
import { bashCompletion } from './completion/bash.js'
import { fishCompletion } from './completion/fish.js'
import { kubectlCompletion } from './completion/kubectl.js'
import { zshCompletion } from './completion/zsh.js'
import type { Program } from './program.js'
import { OMEN } from './verbs.js'

const SHELLS: Readonly<Record<Shell, (program: Program) => string>> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
  kubectl: kubectlCompletion,
}

/**
 * A script that completes the words of a program's command line: verbs, flags, their values, files, and the identifiers of the
 * installed rules, which it asks the program for.
 *
 * @example
 * process.stdout.write(renderCompletion('bash')) // for: source <(omen completion bash)
 */
export function renderCompletion(shell: Shell, program: Program = OMEN): string {
  return SHELLS[shell](program)
}
