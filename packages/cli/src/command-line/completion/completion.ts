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
 * A script that completes the words of a program's command line: verbs, flags, their values, files, and the identifiers of the
 * installed rules, which it asks the program for.
 *
 * @example
 * process.stdout.write(renderCompletion('bash')) // for: source <(omen completion bash)
 */
export function renderCompletion(shell: Shell, program: Program = OMEN): string {
  return SHELLS[shell](program)
}

/**
 * The script that kubectl looks for on the PATH, as `kubectl_complete-omen`, to complete the words of its plugin. It gets the words
 * that were typed, and prints what could stand in the place of the last one.
 *
 * @example
 * process.stdout.write(kubectlCompletion())
 */
export function kubectlCompletion(): string {
  return `#!/bin/sh
# kubectl completes "kubectl omen" with this: put it on the PATH as kubectl_complete-omen, executable.
exec kubectl-omen __complete "$@"
`
}
