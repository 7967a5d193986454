import { spawn } from 'node:child_process'

/** The client of the cluster, and the flags that say which cluster and as whom. */
export interface Kubectl {
  /** The program: `kubectl`, found by the PATH. */
  readonly program: string
  /** `--context`, `--kubeconfig` and the like. */
  readonly flags: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
}

/** How a call of kubectl ended. */
export interface KubectlAnswer {
  /** Undefined when there is no such program. */
  readonly status: number | undefined
  readonly out: string
  readonly err: string
}

/** So much of what kubectl says is kept: no message of it is longer. */
const LONGEST_SAID = 64 * 1024

/** Nothing that is asked here takes longer, unless it hangs. */
const LONGEST_CALL_MS = 30_000

/**
 * Calls kubectl and waits for its end.
 *
 * @example
 * const { out } = await callKubectl(kubectl, ['config', 'view', '--minify', '-o', 'jsonpath={..namespace}'])
 */
export function callKubectl({ program, flags, env }: Kubectl, words: readonly string[]): Promise<KubectlAnswer> {
  return new Promise((resolve) => {
    const child = spawn(program, [...words, ...flags], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: LONGEST_CALL_MS,
      killSignal: 'SIGKILL',
    })
    const [out, err] = [keepWords(child.stdout), keepWords(child.stderr)]
    child.once('error', () => resolve({ status: undefined, out: '', err: '' }))
    child.once('close', (code) => resolve({ status: code ?? 1, out: out(), err: err() }))
  })
}

/** Keeps what a program says, up to a limit, and gives it when asked. */
export function keepWords(stream: NodeJS.ReadableStream): () => string {
  let text = ''
  stream.on('data', (piece: Buffer) => {
    if (text.length < LONGEST_SAID) text += piece.toString()
  })
  stream.on('error', () => {})
  return () => text
}
