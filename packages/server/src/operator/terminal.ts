import { createInterface } from 'node:readline'
import type { ReadStream, WriteStream } from 'node:tty'
import type { Console } from './console.js'

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
        // Ctrl-C and the end of input are no answer.
        reader.once('close', () => resolve(''))
        reader.once('SIGINT', () => reader.close())
        reader.question(question, (answer) => {
          resolve(answer)
          reader.close()
        })
      }),
  }
}
