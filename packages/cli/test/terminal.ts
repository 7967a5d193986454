import { execFile, execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { PAUSE_MS } from './running.js'

export interface TerminalOptions {
  readonly columns?: number
  readonly rows?: number
  readonly cwd?: string
  /** Added to the environment of the tests, without the variables that affect colours and sizes. */
  readonly env?: Readonly<Record<string, string>>
}

/** A terminal that runs a program. */
export interface Terminal {
  /** The lines on the screen, without trailing spaces and trailing empty lines. */
  lines(): string[]
  /** The lines with their colours, as escape sequences. */
  colouredLines(): string[]
  /** All lines, including those that have scrolled off the screen. */
  allLines(): string[]
  readonly isCursorVisible: boolean
  /** The window title. */
  readonly title: string
  /** Waits until the program calls `pause(name)` of programs/pause.ts. */
  reached(name: string): Promise<void>
  /** Continues a paused program. */
  resume(name: string): void
  /** Types keys, with their names in tmux: `C-c`, `Enter`, `q`. */
  type(...keys: string[]): void
  resize(columns: number, rows: number): void
  /** Waits until the program has ended and the terminal shows all its output; returns the exit code. */
  ended(): Promise<number>
  /** Closes the terminal and ends its programs. */
  close(): void
}

const run = promisify(execFile)

/** Variables of the test run that would change the output. */
const NOT_INHERITED = ['NO_COLOR', 'FORCE_COLOR', 'COLUMNS', 'LINES', 'TMUX', 'TMUX_PANE', 'CI', 'TERM']

/**
 * Runs a program on a pseudo-terminal in its own tmux server, so that tests can read the screen.
 *
 * @example
 * const terminal = openTerminal([process.execPath, 'omen.js', 'app.log'], { columns: 100, rows: 30 })
 * expect(await terminal.ended()).toBe(0)
 * expect(terminal.lines()).toContain('No known problems found.')
 * terminal.close()
 */
export function openTerminal(command: readonly string[], options: TerminalOptions = {}): Terminal {
  const { columns = 100, rows = 30, cwd = tmpdir() } = options
  const folder = mkdtempSync(join(tmpdir(), 'omen-terminal-'))
  const statusFile = join(folder, 'status')
  const server = ['-S', join(folder, 'socket'), '-f', '/dev/null']
  const env = inheritedEnvironment()
  const tmux = (...args: string[]) => execFileSync('tmux', [...server, ...args], { env, encoding: 'utf8' })
  const script = join(folder, 'run.sh')
  writeFileSync(script, describeRun(withEnvironment(command, options), statusFile))
  const settings = ['status off', 'history-limit 5000'].flatMap((setting) => [
    'set-option',
    '-g',
    ...setting.split(' '),
    ';',
  ])
  const size = ['-x', String(columns), '-y', String(rows)]
  tmux('start-server', ';', ...settings, 'new-session', '-d', ...size, '-c', cwd, `sh ${quote(script)}`)
  const capture = (...args: string[]) => trimScreen(tmux('capture-pane', '-p', ...args))
  const ask = (format: string) => tmux('display-message', '-p', format).trimEnd()
  let end: Promise<number> | undefined
  const waitFor = async (channel: string) => void (await run('tmux', [...server, 'wait-for', channel], { env }))
  return {
    lines: () => capture(),
    colouredLines: () => capture('-e'),
    allLines: () => capture('-S', '-'),
    get isCursorVisible() {
      return ask('#{cursor_flag}') === '1'
    },
    get title() {
      return ask('#{pane_title}')
    },
    reached: (name) => waitFor(name),
    resume: (name) => void tmux('wait-for', '-S', `${name}-go`),
    type: (...keys) => void tmux('send-keys', ...keys),
    resize: (columns, rows) => void tmux('resize-window', '-x', String(columns), '-y', String(rows)),
    ended() {
      // Twice: for the callers that wait now, and for one that waits later.
      end ??= waitFor('ended').then(() => Number(readFileSync(statusFile, 'utf8')))
      return end
    },
    close() {
      try {
        tmux('kill-server')
      } catch {
        // It has ended already.
      }
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/**
 * Calls a function with the screen until it does not throw, and returns its result: output arrives in parts. Throws the last error if the
 * program has ended.
 *
 * @example
 * await eventually(terminal, (lines) => expect(lines).toEqual(['Reading app.log', 'Matching lines']))
 */
export async function eventually<T>(on: Terminal, look: (lines: readonly string[]) => T): Promise<T> {
  let hasEnded = false
  const end = () => {
    hasEnded = true
  }
  // A failing test closes the terminal first.
  on.ended().then(end, end)
  for (;;) {
    const hadEnded = hasEnded
    try {
      return look(on.lines())
    } catch (error) {
      if (hadEnded) throw error
    }
    await pause(PAUSE_MS)
  }
}

/**
 * Waits until the screen shows a line, and returns it.
 *
 * @example
 * await shown(terminal, /\[Y\/n\]/)
 */
export function shown(on: Terminal, wanted: RegExp): Promise<string> {
  return eventually(on, (lines) => {
    const line = lines.find((candidate) => wanted.test(candidate))
    if (line === undefined) throw new Error(`There is no ${wanted}:\n${lines.join('\n')}`)
    return line
  })
}

/**
 * Runs a program on a pseudo-terminal to its end, and returns the bytes that it wrote.
 *
 * @example
 * const { raw } = recordTerminal([process.execPath, 'omen.js', '-v'])
 * expect(raw).toBe('omen 0.1.0\r\n')
 */
export function recordTerminal(
  command: readonly string[],
  options: TerminalOptions = {},
): { raw: string; status: number } {
  const { columns = 100, rows = 30, cwd = tmpdir() } = options
  const folder = mkdtempSync(join(tmpdir(), 'omen-terminal-'))
  try {
    const statusFile = join(folder, 'status')
    const line = `stty cols ${columns} rows ${rows}; ${withEnvironment(command, options)}; echo $? > ${quote(statusFile)}`
    const args = ['-qec', line, '/dev/null']
    // Standard input stays open, because `script` would send an end of file.
    const raw = execFileSync('script', args, {
      cwd,
      env: inheritedEnvironment(),
      encoding: 'utf8',
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    return { raw, status: Number(readFileSync(statusFile, 'utf8')) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Bundles a TypeScript program, so that it can be run on a terminal before the tool is built.
 *
 * @example
 * const program = await buildProgram(new URL('./programs/live-progress.ts', import.meta.url), folder)
 */
export async function buildProgram(source: URL, folder: string): Promise<string> {
  const { build } = await import('rolldown')
  const file = join(folder, `program-${randomUUID()}.mjs`)
  const home = resolve(dirname(fileURLToPath(import.meta.url)), '..')
  await build({
    input: fileURLToPath(source),
    platform: 'node',
    resolve: {
      alias: { '@omen/engine': resolve(home, '../engine/src/index.ts') },
      extensionAlias: { '.js': ['.ts', '.js'] },
    },
    output: { file, format: 'esm', codeSplitting: false },
  })
  return file
}

function inheritedEnvironment(): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !NOT_INHERITED.includes(name))
  return { ...Object.fromEntries(inherited), LC_ALL: 'C.UTF-8' }
}

/** A shell command with the variables, because tmux sets `TERM` itself. */
function withEnvironment(command: readonly string[], { env = {} }: TerminalOptions): string {
  const variables = Object.entries({ TERM: 'xterm-256color', TZ: 'UTC', ...env }).map(
    ([name, value]) => `${name}=${value}`,
  )
  return ['env', ...variables, ...command].map(quote).join(' ')
}

/**
 * Runs the program, then requests the cursor position: the terminal responds in order, so all output is on the screen by then. The shell
 * stays, because tmux closes a terminal without a program.
 */
function describeRun(command: string, statusFile: string): string {
  return [
    // Ctrl-C ends the program, not this shell.
    'trap : INT',
    // Does not discard pending output: half a line would stay on the screen.
    'stty noflsh',
    command,
    `echo $? > ${quote(statusFile)}`,
    'stty -icanon -echo',
    "printf '\\033[6n'",
    'dd bs=1 count=1 > /dev/null 2>&1',
    'tmux wait-for -S ended',
    'exec cat > /dev/null',
    '',
  ].join('\n')
}

function trimScreen(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trimEnd())
  while (lines.at(-1) === '') lines.pop()
  return lines
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
