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
