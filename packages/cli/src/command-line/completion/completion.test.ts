import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Shell } from '../command.js'
import { OMEN } from '../verbs.js'
import { renderCompletion } from './completion.js'

/** Replaces the tool in the shells: prints rule identifiers, and records the arguments of any other call. */
const FAKE_OMEN = `#!/bin/sh
if [ "$*" = 'rules list --ids' ]; then
  printf '%s\\n' CRE-2026-10001 CRE-2026-20002 'X-$(touch hacked)'
else
  { for word in "$@"; do printf '<%s>' "$word"; done; echo; } >> "$CALLS"
  echo "call $(($(wc -l < "$CALLS")))."
fi
`

let folder = ''
let environment: NodeJS.ProcessEnv = {}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'omen-completion-'))
  mkdirSync(join(folder, 'bin'))
  mkdirSync(join(folder, 'logs here'))
  mkdirSync(join(folder, 'fo-folder'))
  for (const name of ['app.log', 'consumer.log', 'fo-file', 'my rules.yaml']) writeFileSync(join(folder, name), '')
  writeFileSync(join(folder, 'bin', 'omen'), FAKE_OMEN)
  chmodSync(join(folder, 'bin', 'omen'), 0o755)
  for (const shell of ['bash', 'zsh', 'fish'] as const) {
    writeFileSync(join(folder, `omen.${shell}`), renderCompletion(shell))
  }
  mkdirSync(join(folder, 'functions'))
  writeFileSync(join(folder, 'functions', '_omen'), renderCompletion('zsh'))
  environment = {
    PATH: [join(folder, 'bin'), process.env.PATH].join(delimiter),
    HOME: folder,
    CALLS: join(folder, 'calls'),
    INPUTRC: '/dev/null',
    TERM: 'dumb',
    LC_ALL: 'C.UTF-8',
  }
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function run(command: string, ...args: readonly string[]): string {
  const { stdout, stderr, status, error } = spawnSync(command, args, {
    cwd: folder,
    env: environment,
    encoding: 'utf8',
  })
  if (error) throw error
  expect(stderr).toBe('')
  expect(status).toBe(0)
  return stdout
}

/** The candidates that bash offers for the last word, with words split as bash does it. */
function completeInBash(...args: readonly string[]): readonly string[] {
  const script = `source ./omen.bash; COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)); _omen "$1"; printf '%s\\n' "\${COMPREPLY[@]}"`
  return run('bash', '--norc', '-c', script, 'bash', 'omen', ...args)
    .split('\n')
    .filter(Boolean)
}

/** The candidates that fish offers, without their descriptions. */
function completeInFish(line: string): readonly string[] {
  const script = `source ./omen.fish; complete -C ${JSON.stringify(`omen ${line}`)}`
  const lines = run('fish', '--no-config', '-c', script).split('\n').filter(Boolean)
  return lines.map((offered) => offered.split('\t')[0]!)
}

const INTERACTIVE: Readonly<
  Record<'bash' | 'zsh' | 'zsh with the script in $fpath', { readonly command: string; readonly start: string }>
> = {
  bash: {
    command: 'bash --norc --noprofile -i',
    start: `bind 'set bell-style none'; bind 'set enable-bracketed-paste off'; source ./omen.bash; PS1='READY''> '`,
  },
  zsh: {
    command: 'zsh -f -i',
    start: `unsetopt beep; source ./omen.zsh; PROMPT='READY''> '; RPROMPT=; PROMPT_EOL_MARK=`,
  },
  'zsh with the script in $fpath': {
    command: 'zsh -f -i',
    start: `unsetopt beep; fpath=($PWD/functions $fpath); autoload -Uz compinit; compinit -u -D; PROMPT='READY''> '; RPROMPT=; PROMPT_EOL_MARK=`,
  },
}

/** Types lines into a shell on a pseudo-terminal, `⇥` for the tab key, and returns the arguments of each call of the tool. */
async function typeInto(shell: keyof typeof INTERACTIVE, lines: readonly string[]): Promise<readonly string[]> {
  writeFileSync(environment.CALLS!, '')
  const { command, start } = INTERACTIVE[shell]
  const terminal = spawn('script', ['-qfec', command, '/dev/null'], { cwd: folder, env: environment })
  await type(terminal, `stty cols 200 rows 50; ${start}`, /READY> /)
  for (const [index, line] of lines.entries()) {
    // The prompt alone is not enough: it is also printed after a list of candidates.
    await type(terminal, `omen ${line.replaceAll('⇥', '\t')}`, new RegExp(`call ${index + 1}\\.[^]*READY> `))
  }
  terminal.stdin.end('exit\r')
  await new Promise((resolve) => terminal.once('close', resolve))
  return readFileSync(environment.CALLS!, 'utf8').split('\n').slice(0, -1)
}

function type(terminal: ChildProcess, line: string, expected: RegExp): Promise<void> {
  return new Promise((resolve, reject) => {
    let seen = ''
    const end = () => reject(new Error(`The shell ended without printing ${expected}:\n${seen}`))
    const read = (chunk: Buffer) => {
      seen += chunk.toString()
      if (!expected.test(seen)) return
      terminal.stdout!.off('data', read)
      terminal.off('close', end)
      resolve()
    }
    terminal.once('close', end)
    terminal.stdout!.on('data', read)
    terminal.stdin!.write(`${line}\r`)
  })
}

/** The typed line, and the arguments that the tool gets. */
const TYPED: readonly (readonly [line: string, args: string])[] = [
  ['ru⇥', '<rules>'],
  ['rules lis⇥', '<rules><list>'],
  ['rules list -q --i⇥', '<rules><list><-q><--ids>'],
  ['rules list kafka --js⇥', '<rules><list><kafka><--json>'],
  ['rules new --qu⇥', '<rules><new><--quiet>'],
  ['--threads 4 --qu⇥', '<--threads><4><--quiet>'],
  ['--threads a⇥', '<--threads><a>'],
  ['rules list ap⇥', '<rules><list><ap>'],
  ['rules list --js⇥', '<rules><list><--json>'],
  ['-q rules sh⇥', '<-q><rules><show>'],
  ['explain CRE-2026-2⇥', '<explain><CRE-2026-20002>'],
  ['rules show cre-2026-1⇥', '<rules><show><CRE-2026-10001>'],
  ['--follo⇥ ap⇥', '<--follow><app.log>'],
  ['con⇥s⇥', '<consumer.log>'],
  ['-r my⇥', '<-r><my rules.yaml>'],
  ['-qr my⇥', '<-qr><my rules.yaml>'],
  ['-s "my⇥', '<-s><my rules.yaml>'],
  ['logs⇥x', '<logs here/x>'],
  ['-l deb⇥', '<-l><debug>'],
  ['--level=deb⇥', '<--level=debug>'],
  ['--name=app⇥', '<--name=app.log>'],
  ['--since yest⇥', '<--since><yesterday>'],
  ['--fail-on cri⇥', '<--fail-on><critical>'],
  ['rules new X fo⇥x', '<rules><new><X><fo-folder/x>'],
  ['rules test ap⇥', '<rules><test><app.log>'],
  ['completion f⇥', '<completion><fish>'],
  ['help rul⇥ tes⇥', '<help><rules><test>'],
  ['-- ru⇥', '<--><ru>'],
]

describe('every script', () => {
  it.each(['bash', 'zsh', 'fish'] as const)('is valid %s', (shell) => {
    run(shell, '-n', join(folder, `omen.${shell}`))
  })

  it.each(['bash', 'zsh', 'fish'] as const)('for %s contains every verb and long flag', (shell: Shell) => {
    const script = renderCompletion(shell)
    const dashes = shell === 'fish' ? '-l ' : '--'
    for (const { name } of OMEN.flags) expect(script).toContain(`${dashes}${name}`)
    for (const { words } of OMEN.verbs) for (const word of words) expect(script).toContain(word)
  })
})

describe.each(Object.keys(INTERACTIVE) as (keyof typeof INTERACTIVE)[])('a user of %s', (shell) => {
  it('completes words with the tab key', async () => {
    const lines = TYPED.map(([line]) => line)
    const calls = await typeInto(shell, lines)
    expect(calls.map((args, index) => [lines[index], args])).toEqual(TYPED)
  })
})

describe('bash', () => {
  it('offers verbs and files where both are possible', () => {
    expect(completeInBash('co')).toEqual(['config', 'completion', 'consumer.log'])
    expect(completeInBash('')).toEqual(expect.arrayContaining(['explain', 'rules', 'app.log', 'logs\\ here/']))
  })

  it('offers only the flags of the verb', () => {
    expect(completeInBash('config', '--')).toContain('--json')
    expect(completeInBash('config', '--')).not.toContain('--follow')
    expect(completeInBash('--')).not.toContain('--json')
    expect(completeInBash('--')).toContain('--generate')
  })

  it('completes values after =, whether or not = breaks words', () => {
    expect(completeInBash('--level', '=')).toEqual(['error', 'warn', 'info', 'debug', 'trace'])
    expect(completeInBash('--level', '=', 'in')).toEqual(['info'])
    expect(completeInBash('--level=in')).toEqual(['--level=info'])
    expect(completeInBash('--name=app')).toEqual(['--name=app.log'])
  })

  it('does not take the value of a flag for a verb', () => {
    expect(completeInBash('-r', 'rules', 'ex')).toEqual(['explain'])
    expect(completeInBash('-o', 'explain', 'CRE')).toEqual([])
  })

  it('does not execute commands in an identifier', () => {
    expect(completeInBash('explain', '')).toEqual(['CRE-2026-10001', 'CRE-2026-20002'])
    expect(run('ls', folder)).not.toContain('hacked')
  })

  it('offers nothing where there are no candidates', () => {
    expect(completeInBash('--threads', '')).toEqual([])
    expect(completeInBash('completion', 'bash', '')).toEqual([])
    expect(completeInBash('help', 'explain', '')).toEqual([])
  })
})

describe('fish', () => {
  it('offers verbs and files', () => {
    expect(completeInFish('co')).toEqual(['completion', 'config', 'consumer.log'])
    expect(completeInFish('app.log ap')).toEqual(['app.log'])
  })

  it('offers actions, including after help and after flags', () => {
    expect(completeInFish('rules ')).toEqual(['lint', 'list', 'new', 'schema', 'show', 'test'])
    expect(completeInFish('rules -q l')).toEqual(['lint', 'list'])
    expect(completeInFish('help rules t')).toEqual(['test'])
    expect(completeInFish('help e')).toEqual(['explain'])
    expect(completeInFish('help explain ')).toEqual([])
  })

  it('offers only the flags of the verb', () => {
    expect(completeInFish('config --')).toContain('--json')
    expect(completeInFish('config --')).not.toContain('--follow')
    expect(completeInFish('--')).toContain('--follow')
    expect(completeInFish('--')).not.toContain('--ids')
  })

  it('offers values, files and identifiers', () => {
    expect(completeInFish('-l d')).toEqual(['debug'])
    expect(completeInFish('--level=d')).toEqual(['--level=debug'])
    expect(completeInFish('--since y')).toEqual(['yesterday'])
    expect(completeInFish('-r my')).toEqual(['my rules.yaml'])
    expect(completeInFish('explain cre-2026-2')).toEqual(['CRE-2026-20002'])
    expect(completeInFish('rules new X fo')).toEqual(['fo-folder/'])
    expect(completeInFish('completion ')).toEqual(['bash', 'fish', 'zsh'])
    expect(completeInFish('--threads ')).toEqual([])
  })

  it('does not take the value of a flag for a verb', () => {
    expect(completeInFish('-qr rules ex')).toEqual(['explain'])
  })
})
