import { createInterface } from 'node:readline'
import type { ReadStream, WriteStream } from 'node:tty'

/** Where the commands write, and ask the operator. */
export interface Console {
  /** To standard output: the result. */
  out(text: string): void
  /** To standard error: everything else. */
  error(text: string): void
  /** Whether a person is there to answer. */
  readonly canAsk: boolean
  /** Asks on standard error; resolves with the line that was typed, empty at the end of input. */
  ask(question: string): Promise<string>
}

export interface Streams {
  readonly stdin: NodeJS.ReadableStream & Partial<Pick<ReadStream, 'isTTY'>>
  readonly stdout: NodeJS.WritableStream
  readonly stderr: NodeJS.WritableStream & Partial<Pick<WriteStream, 'isTTY'>>
}

/**
 * The console of a process: its standard streams.
 *
 * @example
 * createTerminal(process).out('done\n')
 */
export function createTerminal({ stdin, stdout, stderr }: Streams): Console {
  return {
    out: (text) => void stdout.write(text),
    error: (text) => void stderr.write(text),
    canAsk: stdin.isTTY === true && stderr.isTTY === true,
    ask: (question) =>
      new Promise((resolve) => {
        const reader = createInterface({ input: stdin, output: stderr })
        // Ctrl-C and the end of input count as an empty reply.
        reader.once('close', () => resolve(''))
        reader.once('SIGINT', () => reader.close())
        reader.question(question, (answer) => {
          resolve(answer)
          reader.close()
        })
      }),
  }
}
