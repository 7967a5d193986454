import type { CheckedFlags } from './check-flags.js'
import type {
  Command,
  CommonOptions,
  LogLevel,
  PodsOptions,
  RulesAction,
  ScanOptions,
  Shell,
  UpdatesAction,
} from './command.js'
import { checkTopic } from './find-verb.js'
import { SEVERITIES } from './flags.js'
import { readLine } from './parse-argv.js'
import type { PluginVerbName } from './plugin.js'
import type { Program } from './program.js'
import { usageFailure } from './suggest.js'
import { type LimitEnd, readTimeLimit } from './time-limit.js'
import { OMEN, type VerbName } from './verbs.js'

/** What the command line is read against. */
export interface CommandLineContext {
  readonly now: Date
  /** Whether there is a file or folder of that name: a mistyped verb is none. */
  exists(path: string): boolean
}

interface Asked {
  readonly flags: CheckedFlags
  readonly operands: readonly string[]
  readonly context: CommandLineContext
  readonly program: Program
}

/**
 * Reads the words after the program's name. Rejects with a `Failure` of kind `Usage` that says what is wrong, what was
 * probably meant, and where to read on.
 *
 * @example
 * await readCommandLine(['-q', '-o', '-', 'app.log'], { now: new Date(), exists: existsSync })
 * // { verb: 'scan', quiet: true, output: '-', paths: ['app.log'], … }
 */
export async function readCommandLine(
  words: readonly string[],
  context: CommandLineContext,
  program: Program<VerbName | PluginVerbName> = OMEN,
): Promise<Command> {
  const line = await readLine(words, program, (path) => context.exists(path))
  if (line.asks === 'help') return { verb: 'help', topic: line.topic }
  if (line.asks === 'version') return { verb: 'version' }
  return COMMANDS[line.verb.name]({ flags: line.flags, operands: line.operands, context, program })
}

type Build = (asked: Asked) => Command | Promise<Command>

const COMMANDS: Readonly<Record<VerbName | PluginVerbName, Build>> = {
  scan: async (asked) => ({ verb: 'scan', ...(await scanOptions(asked)) }),
  pods: podsCommand,
  generate: (asked) => ({ verb: 'generate', ...commonOptions(asked) }),
  cron: (asked) => ({ verb: 'cron', namespace: valuesOf(asked, 'namespace')[0], ...commonOptions(asked) }),
  explain: (asked) => ({ verb: 'explain', ids: asked.operands, json: isGiven(asked, 'json'), ...commonOptions(asked) }),
  'rules list': (asked) => rulesCommand('list', asked),
  'rules show': (asked) => rulesCommand('show', asked),
  'rules lint': (asked) => rulesCommand('lint', asked),
  'rules test': (asked) => rulesCommand('test', asked),
  'rules new': (asked) => rulesCommand('new', asked),
  'rules schema': (asked) => rulesCommand('schema', asked),
  'updates check': (asked) => updatesCommand('check', asked),
  'updates install': (asked) => updatesCommand('install', asked),
  'updates trust': (asked) => updatesCommand('trust', asked),
  login: (asked) => ({
    verb: 'login',
    service: asked.operands[0],
    json: isGiven(asked, 'json'),
    ...commonOptions(asked),
  }),
  logout: (asked) => ({ verb: 'logout', ...commonOptions(asked) }),
  whoami: (asked) => ({ verb: 'whoami', json: isGiven(asked, 'json'), ...commonOptions(asked) }),
  config: (asked) => ({
    verb: 'config',
    json: isGiven(asked, 'json'),
    dataSources: valuesOf(asked, 'source'),
    ...commonOptions(asked),
  }),
  completion: ({ operands }) => ({ verb: 'completion', shell: (operands[0] ?? 'kubectl') as Shell }),
  help: async ({ operands, program }) => {
    await checkTopic(program, operands)
    return { verb: 'help', topic: operands }
  },
  version: () => ({ verb: 'version' }),
}

function rulesCommand(action: RulesAction, asked: Asked): Command {
  const { operands } = asked
  const [json, ids] = [isGiven(asked, 'json'), isGiven(asked, 'ids')]
  if (json && ids) {
    throw usageFailure('--json and --ids do not go together: give one of them', `${asked.program.name} rules ${action}`)
  }
  return { verb: 'rules', action, operands, json, ids, ...commonOptions(asked) }
}

function updatesCommand(action: UpdatesAction, asked: Asked): Command {
  return { verb: 'updates', action, operands: asked.operands, json: isGiven(asked, 'json'), ...commonOptions(asked) }
}

function commonOptions(asked: Asked): CommonOptions {
  return {
    quiet: isGiven(asked, 'quiet'),
    level: valuesOf(asked, 'level')[0] as LogLevel | undefined,
    disabled: isGiven(asked, 'disabled'),
    rules: valuesOf(asked, 'rules'),
    output: valuesOf(asked, 'name')[0],
    acceptUpdates: isGiven(asked, 'accept-updates'),
  }
}

async function scanOptions(asked: Asked): Promise<ScanOptions> {
  const [since, until] = [await timeLimit('since', asked), await timeLimit('until', asked)]
  if (since !== undefined && until !== undefined && since > until) {
    throw usageFailure('--since is later than --until: no entry lies between them', asked.program.name)
  }
  const failOn = valuesOf(asked, 'fail-on')[0]
  const threads = valuesOf(asked, 'threads')[0]
  return {
    ...commonOptions(asked),
    paths: asked.operands,
    dataSources: valuesOf(asked, 'source'),
    since,
    until,
    follow: isGiven(asked, 'follow'),
    state: valuesOf(asked, 'state')[0],
    failOn: failOn === undefined ? undefined : SEVERITIES.indexOf(failOn as (typeof SEVERITIES)[number]),
    threads: threads === undefined ? undefined : Number(threads),
  }
}

/** What goes with files alone, and what is to be said to whoever gives it for pods. */
const FOR_FILES: Readonly<Record<string, string>> = {
  source: 'name pods, or data source files with -s: not both',
  state: '--state keeps a place in files: for pods, --since says from when on',
  threads: '--threads is for files: --parallel says how many logs are read at a time',
}

/** Pods, or with `-s` and nothing that names pods, what data source files list. */
async function podsCommand(asked: Asked): Promise<Command> {
  const { operands, program } = asked
  const options = await scanOptions({ ...asked, operands: [] })
  const selector = valuesOf(asked, 'selector')[0]
  const namesPods =
    operands.length > 0 || ['selector', 'namespace', 'all-namespaces'].some((name) => isGiven(asked, name))
  if (!namesPods) return isGiven(asked, 'source') ? { verb: 'scan', ...options } : nothingNamed(asked)
  for (const [flag, message] of Object.entries(FOR_FILES)) {
    if (isGiven(asked, flag)) throw usageFailure(message, program.name)
  }
  if (operands.length > 0 && selector !== undefined) {
    throw usageFailure('a target and --selector do not go together: give one of them', program.name)
  }
  if (operands.length > 0 && isGiven(asked, 'all-namespaces')) {
    throw usageFailure(
      '-A reads all pods, or those that --selector chooses: a target is in one namespace',
      program.name,
    )
  }
  if (isGiven(asked, 'namespace') && isGiven(asked, 'all-namespaces')) {
    throw usageFailure('-n and -A do not go together: give one of them', program.name)
  }
  return { verb: 'pods', ...options, ...podsOptions(asked), targets: operands, selector }
}

function nothingNamed({ flags, program }: Asked): Command {
  if (flags.size === 0) return { verb: 'help', topic: [] }
  throw usageFailure('what is to be read? Name a target, or choose pods with -n, -A or --selector', program.name)
}

function podsOptions(asked: Asked): Omit<PodsOptions, keyof ScanOptions | 'targets' | 'selector'> {
  const number = (name: string) => (isGiven(asked, name) ? Number(valuesOf(asked, name)[0]) : undefined)
  return {
    namespace: valuesOf(asked, 'namespace')[0],
    allNamespaces: isGiven(asked, 'all-namespaces'),
    containers: valuesOf(asked, 'container'),
    context: valuesOf(asked, 'context')[0],
    kubeconfig: valuesOf(asked, 'kubeconfig')[0],
    as: valuesOf(asked, 'as')[0],
    previous: isGiven(asked, 'previous'),
    tail: number('tail'),
    parallel: number('parallel'),
    sourceTypes: valuesOf(asked, 'source-type'),
  }
}

async function timeLimit(end: LimitEnd, asked: Asked): Promise<bigint | undefined> {
  const text = valuesOf(asked, end)[0]
  if (text === undefined) return undefined
  try {
    return await readTimeLimit(text, end, asked.context.now)
  } catch (error) {
    throw usageFailure(`--${end}: ${(error as Error).message}`, asked.program.name)
  }
}

function isGiven({ flags }: Asked, name: string): boolean {
  return flags.has(name)
}

function valuesOf({ flags }: Asked, name: string): readonly string[] {
  return flags.get(name) ?? []
}
