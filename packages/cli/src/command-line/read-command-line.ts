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
import { parseArgv } from './parse-argv.js'
import type { PluginVerbName } from './plugin.js'
import type { Program } from './program.js'
import { usageFailure } from './suggest.js'
import { type LimitEnd, readTimeLimit } from './time-limit.js'
import { OMEN, type VerbName } from './verbs.js'

/** The environment that a command line is interpreted in. */
export interface CommandLineContext {
  readonly now: Date
  /** Whether a file or folder exists at the path, which tells an operand from a mistyped verb. */
  exists(path: string): boolean
}

interface Request {
  readonly flags: CheckedFlags
  readonly operands: readonly string[]
  readonly context: CommandLineContext
  readonly program: Program
}

/**
 * Interprets the arguments after the program's name. Rejects with a `Failure` of kind `Usage` that says what is wrong, suggests a
 * correction and names the help page.
 *
 * @example
 * await readCommandLine(['-q', '-o', '-', 'app.log'], { now: new Date(), exists: existsSync })
 * // { verb: 'scan', quiet: true, output: '-', paths: ['app.log'], … }
 */
export async function readCommandLine(
  argv: readonly string[],
  context: CommandLineContext,
  program: Program<VerbName | PluginVerbName> = OMEN,
): Promise<Command> {
  const parsed = await parseArgv(argv, program, (path) => context.exists(path))
  if (parsed.kind === 'help') return { verb: 'help', topic: parsed.topic }
  if (parsed.kind === 'version') return { verb: 'version' }
  return COMMANDS[parsed.verb.name]({ flags: parsed.flags, operands: parsed.operands, context, program })
}

type Build = (request: Request) => Command | Promise<Command>

const COMMANDS: Readonly<Record<VerbName | PluginVerbName, Build>> = {
  scan: async (request) => ({ verb: 'scan', ...(await scanOptions(request)) }),
  pods: podsCommand,
  generate: (request) => ({ verb: 'generate', ...commonOptions(request) }),
  cron: (request) => ({ verb: 'cron', namespace: valuesOf(request, 'namespace')[0], ...commonOptions(request) }),
  explain: (request) => ({
    verb: 'explain',
    ids: request.operands,
    json: isGiven(request, 'json'),
    ...commonOptions(request),
  }),
  'rules list': (request) => rulesCommand('list', request),
  'rules show': (request) => rulesCommand('show', request),
  'rules lint': (request) => rulesCommand('lint', request),
  'rules test': (request) => rulesCommand('test', request),
  'rules new': (request) => rulesCommand('new', request),
  'rules schema': (request) => rulesCommand('schema', request),
  'updates check': (request) => updatesCommand('check', request),
  'updates install': (request) => updatesCommand('install', request),
  'updates trust': (request) => updatesCommand('trust', request),
  login: (request) => ({
    verb: 'login',
    service: request.operands[0],
    json: isGiven(request, 'json'),
    ...commonOptions(request),
  }),
  logout: (request) => ({ verb: 'logout', ...commonOptions(request) }),
  whoami: (request) => ({ verb: 'whoami', json: isGiven(request, 'json'), ...commonOptions(request) }),
  config: (request) => ({
    verb: 'config',
    json: isGiven(request, 'json'),
    dataSources: valuesOf(request, 'source'),
    ...commonOptions(request),
  }),
  completion: ({ operands }) => ({ verb: 'completion', shell: (operands[0] ?? 'kubectl') as Shell }),
  help: async ({ operands, program }) => {
    await checkTopic(program, operands)
    return { verb: 'help', topic: operands }
  },
  version: () => ({ verb: 'version' }),
}

function rulesCommand(action: RulesAction, request: Request): Command {
  const { operands } = request
  const [json, ids] = [isGiven(request, 'json'), isGiven(request, 'ids')]
  if (json && ids) {
    throw usageFailure(
      '--json and --ids cannot be combined: give one of them',
      `${request.program.name} rules ${action}`,
    )
  }
  return { verb: 'rules', action, operands, json, ids, strict: isGiven(request, 'strict'), ...commonOptions(request) }
}

function updatesCommand(action: UpdatesAction, request: Request): Command {
  return {
    verb: 'updates',
    action,
    operands: request.operands,
    json: isGiven(request, 'json'),
    ...commonOptions(request),
  }
}

function commonOptions(request: Request): CommonOptions {
  return {
    quiet: isGiven(request, 'quiet'),
    level: valuesOf(request, 'level')[0] as LogLevel | undefined,
    disabled: isGiven(request, 'disabled'),
    rules: valuesOf(request, 'rules'),
    output: valuesOf(request, 'name')[0],
    acceptUpdates: isGiven(request, 'accept-updates'),
  }
}

async function scanOptions(request: Request): Promise<ScanOptions> {
  const [since, until] = [await timeLimit('since', request), await timeLimit('until', request)]
  if (since !== undefined && until !== undefined && since > until) {
    throw usageFailure('--since is later than --until: no entry can match', request.program.name)
  }
  const failOn = valuesOf(request, 'fail-on')[0]
  const threads = valuesOf(request, 'threads')[0]
  return {
    ...commonOptions(request),
    paths: request.operands,
    dataSources: valuesOf(request, 'source'),
    since,
    until,
    logZone: await logZone(request),
    follow: isGiven(request, 'follow'),
    state: valuesOf(request, 'state')[0],
    failOn: failOn === undefined ? undefined : SEVERITIES.indexOf(failOn as (typeof SEVERITIES)[number]),
    strict: isGiven(request, 'strict'),
    allowEmpty: isGiven(request, 'allow-empty'),
    threads: threads === undefined ? undefined : Number(threads),
  }
}

/** Flags that apply only to files, with the message for a command that also names pods. */
const FOR_FILES: Readonly<Record<string, string>> = {
  source: 'name pods, or data source files with -s, but not both',
  state: '--state stores a position in files: for pods, use --since',
  threads: '--threads applies to files: for pods, use --parallel',
}

/** A scan of pods; with `-s` and nothing that names pods, a scan of data sources. */
async function podsCommand(request: Request): Promise<Command> {
  const { operands, program } = request
  const options = await scanOptions({ ...request, operands: [] })
  const selector = valuesOf(request, 'selector')[0]
  const namesPods =
    operands.length > 0 || ['selector', 'namespace', 'all-namespaces'].some((name) => isGiven(request, name))
  if (!namesPods) return isGiven(request, 'source') ? { verb: 'scan', ...options } : nothingNamed(request)
  for (const [flag, message] of Object.entries(FOR_FILES)) {
    if (isGiven(request, flag)) throw usageFailure(message, program.name)
  }
  if (operands.length > 0 && selector !== undefined) {
    throw usageFailure('a target and --selector cannot be combined: give one of them', program.name)
  }
  if (operands.length > 0 && isGiven(request, 'all-namespaces')) {
    throw usageFailure('-A and a target cannot be combined: a target is in one namespace', program.name)
  }
  if (isGiven(request, 'namespace') && isGiven(request, 'all-namespaces')) {
    throw usageFailure('-n and -A cannot be combined: give one of them', program.name)
  }
  return { verb: 'pods', ...options, ...podsOptions(request), targets: operands, selector }
}

function nothingNamed({ flags, program }: Request): Command {
  if (flags.size === 0) return { verb: 'help', topic: [] }
  throw usageFailure('nothing to read: name a target, or select pods with -n, -A or --selector', program.name)
}

function podsOptions(request: Request): Omit<PodsOptions, keyof ScanOptions | 'targets' | 'selector'> {
  const number = (name: string) => (isGiven(request, name) ? Number(valuesOf(request, name)[0]) : undefined)
  return {
    namespace: valuesOf(request, 'namespace')[0],
    allNamespaces: isGiven(request, 'all-namespaces'),
    containers: valuesOf(request, 'container'),
    context: valuesOf(request, 'context')[0],
    kubeconfig: valuesOf(request, 'kubeconfig')[0],
    as: valuesOf(request, 'as')[0],
    previous: isGiven(request, 'previous'),
    tail: number('tail'),
    parallel: number('parallel'),
    sourceTypes: valuesOf(request, 'source-type'),
  }
}

async function timeLimit(end: LimitEnd, request: Request): Promise<bigint | undefined> {
  const text = valuesOf(request, end)[0]
  if (text === undefined) return undefined
  try {
    return await readTimeLimit(text, end, request.context.now)
  } catch (error) {
    throw usageFailure(`--${end}: ${(error as Error).message}`, request.program.name)
  }
}

async function logZone(request: Request): Promise<string | undefined> {
  const zone = valuesOf(request, 'log-tz')[0]
  if (zone === undefined || zone === 'local') return zone
  const { checkZone } = await import('@omen/engine')
  try {
    checkZone(zone)
    return zone
  } catch (error) {
    throw usageFailure(`--log-tz: ${(error as Error).message}`, request.program.name)
  }
}

function isGiven({ flags }: Request, name: string): boolean {
  return flags.has(name)
}

function valuesOf({ flags }: Request, name: string): readonly string[] {
  return flags.get(name) ?? []
}
