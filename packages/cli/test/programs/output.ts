// Writes to standard output in the way that its argument names, and reports the result on standard error.
import { openOutput } from '../../src/console/output.js'

const LARGE = 'one line of a report that is much larger than a pipe\n'.repeat(100_000)

const report = (text: string) => openOutput(2).write(`${text}\n`)

const MODES: Record<string, () => void> = {
  'exit at once'() {
    openOutput(1).write(LARGE)
    process.exit(0)
  },
  'non-blocking'() {
    // Node.js makes the pipe non-blocking when it opens the stream.
    void process.stdout.writable
    openOutput(1).write(LARGE)
    process.exit(0)
  },
  closed() {
    const output = openOutput(1, () => report('closed'))
    for (let round = 0; round < 10; round++) output.write(LARGE)
    report(`dropped: ${output.closed}`)
  },
  'full disk'() {
    const output = openOutput(1)
    try {
      output.write('report\n')
    } catch (error) {
      report((error as Error).message)
    }
    output.write('more\n')
    report(`terminal: ${output.isTTY}`)
  },
  'standard error on a full disk'() {
    openOutput(2).write('a warning\n')
    openOutput(1).write('went on\n')
  },
  characters() {
    openOutput(1).write(`${'a'.repeat((1 << 20) - 1)}🔥${'日'.repeat(1 << 20)}`)
    openOutput(1).write(new Uint8Array([0xff, 0x0a]))
  },
}

MODES[process.argv[2]!]!()
