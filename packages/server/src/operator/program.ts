import { nearest, quote } from '@omen/engine/messages'
import { Argument, Command, type Help, Option } from 'commander'
import { Failure } from '../failure.js'
import type { GivenFlags } from '../settings/load-settings.js'
import { CONFIG_FLAG, SETTING_KEYS, SETTINGS } from '../settings/setting-table.js'
import type { AuditOptions } from './commands/audit.js'
import type { IssueOptions } from './commands/code.js'
import { addReleaseCommands, type ReleaseRequest } from './release-program.js'

/** A parsed command line. */
export type Request =
  | { readonly verb: 'serve' }
  | { readonly verb: 'version' }
  | { readonly verb: 'config' | 'code list' | 'org list' | 'keys rotate'; readonly json: boolean }
  | { readonly verb: 'keys rotate-signing'; readonly json: boolean; readonly endTokens: boolean }
  | ({ readonly verb: 'code issue'; readonly json: boolean } & IssueOptions)
  | { readonly verb: 'code revoke'; readonly json: boolean; readonly code: string }
  | { readonly verb: 'org show'; readonly json: boolean; readonly name: string }
  | { readonly verb: 'org remove'; readonly json: boolean; readonly name: string; readonly yes: boolean }
  | { readonly verb: 'user list'; readonly json: boolean; readonly org?: string }
  | { readonly verb: 'user release' | 'user remove'; readonly json: boolean; readonly email: string }
  | { readonly verb: 'user role'; readonly json: boolean; readonly email: string; readonly role: string }
  | ({ readonly verb: 'audit'; readonly json: boolean } & AuditOptions)
  | ReleaseRequest

export interface ProgramOptions {
  readonly run: (request: Request, flags: GivenFlags) => Promise<void>
  readonly out: (text: string) => void
  readonly error: (text: string) => void
  /** A date in the future, for examples that can be copied. */
  readonly exampleDate: string
}

/** The settings that commands other than `serve` and `config` use; the others are not shown in their help. */
const FOR_EVERY_COMMAND = new Set<string>(['--data-dir', CONFIG_FLAG.flag])
const TAKES_EVERY_SETTING = new Set(['serve', 'config'])

/**
 * The command line of `omen-server`. Flags of settings may come before or after the command.
 *
 * @example
 * await createProgram({ run, out, error, exampleDate: '2026-12-31' }).parseAsync(['code', 'list'], { from: 'user' })
 */
export function createProgram({ run, out, error, exampleDate }: ProgramOptions): Command {
  const program = new Command('omen-server')
    .description(
      'Lets organizations connect their own identity provider by OpenID Connect, and serves releases of rules.',
    )
    .exitOverride()
    .configureOutput({ writeOut: out, writeErr: error, outputError: (text, write) => write(asUsageError(text)) })
    .configureHelp({ showGlobalOptions: true, visibleGlobalOptions, minWidthToWrap: 20 })
  for (const option of settingOptions()) program.addOption(option)
  const flagsOf = (): GivenFlags => readFlags(program)
  const runs = (request: Request) => run(request, flagsOf())
  addServe(program, runs)
  addCode(program, runs, exampleDate)
  addOrg(program, runs)
  addUser(program, runs)
  addAudit(program, runs)
  addKeys(program, runs)
  addReleaseCommands(program, runs, { withJson, examples, exampleDate })
  addConfig(program, runs)
  program
    .command('version')
    .description('print the version')
    .action(() => runs({ verb: 'version' }))
  return program
    .option('-V, --version', 'print the version')
    .addHelpText('after', examples(GETTING_STARTED(exampleDate)))
}

type Run = (request: Request) => Promise<void>

function settingOptions(): readonly Option[] {
  const config = new Option(
    `${CONFIG_FLAG.flag} <${CONFIG_FLAG.argument}>`,
    `read settings from a YAML file [${CONFIG_FLAG.environment}]`,
  )
  const settings = SETTING_KEYS.flatMap((key) => {
    const { flag, argument, about, environment, default: standard } = SETTINGS[key]
    if (flag === undefined) return []
    const words = standard === 'false' || standard === 'none' ? '' : ` (default: ${standard})`
    return [new Option(argument === undefined ? flag : `${flag} <${argument}>`, `${about}${words} [${environment}]`)]
  })
  // Known only to be rejected with a reason: a flag shows its password to every user of the machine.
  const refused = new Option('--database-url <url>').hideHelp()
  return [...settings, config, refused]
}

function readFlags(program: Command): GivenFlags {
  const given = program.opts<Record<string, string | true>>()
  if (given.databaseUrl !== undefined) {
    throw new Failure(
      'Usage',
      '--database-url would show its password to every user of this machine: set DATABASE_URL in the environment, or databaseUrl in the --config file',
    )
  }
  return given
}

function addServe(program: Command, run: Run): void {
  program
    .command('serve', { isDefault: true })
    .description('run the service (the default command)')
    .allowExcessArguments()
    .action((_, command: Command) => {
      if (program.opts<{ version?: true }>().version) return run({ verb: 'version' })
      refuseUnknownCommand(program, command.args[0])
      return run({ verb: 'serve' })
    })
    .addHelpText(
      'after',
      examples([
        ['Try it out, with the embedded database', 'omen-server'],
        [
          'With PostgreSQL, behind a proxy',
          'DATABASE_URL=postgres://… omen-server --base-url https://omen.example.com',
        ],
        ['The same settings from a file', 'omen-server --config /etc/omen/server.yaml'],
      ]),
    )
}

/** An unknown command reaches the default command as an argument. */
function refuseUnknownCommand(program: Command, word: string | undefined): void {
  if (word === undefined) return
  const meant = nearest(
    word,
    program.commands.map((command) => command.name()),
  )
  throw new Failure('Usage', `unknown command ${quote(word)}${meant ? `. Did you mean ${meant}?` : ''}`, {
    hint: 'Try: omen-server --help',
  })
}

function addCode(program: Command, run: Run, exampleDate: string): void {
  const code = program.command('code').description('issue, list and revoke the codes that onboarding starts with')
  withJson(code.command('issue'))
    .description('issue a code for an organization; it is shown only once')
    .requiredOption('--org <name>', 'the organization that gets the code')
    .requiredOption('--expires <date>', 'the first day (UTC) on which it no longer works, as YYYY-MM-DD; after today')
    .option('--domain <domain>', 'the only e-mail domain that may be connected with it')
    .action((options: IssueOptions & Json) => run({ verb: 'code issue', ...options, json: isJson(options) }))
    .addHelpText(
      'after',
      examples([
        ['A code for Acme', `omen-server code issue --org "Acme" --expires ${exampleDate}`],
        ['For one domain only', `omen-server code issue --org "Acme" --expires ${exampleDate} --domain acme.com`],
        ['In a script', `omen-server code issue --org "Acme" --expires ${exampleDate} --json | jq -r .code`],
      ]),
    )
  withJson(code.command('list'))
    .description('list the codes with their states')
    .action((options: Json) => run({ verb: 'code list', json: isJson(options) }))
    .addHelpText('after', examples([['Which codes are still open?', 'omen-server code list']]))
  withJson(code.command('revoke'))
    .description('end a code and its tokens at once')
    .argument('<code>', 'the code, or its id in the list')
    .action((given: string, options: Json) => run({ verb: 'code revoke', code: given, json: isJson(options) }))
    .addHelpText('after', examples([['A code that went to the wrong person', 'omen-server code revoke K7QF2M-9XTR4B']]))
}

function addOrg(program: Command, run: Run): void {
  const org = program.command('org').description('list, show and remove organizations')
  withJson(org.command('list'))
    .description('list the organizations')
    .action((options: Json) => run({ verb: 'org list', json: isJson(options) }))
    .addHelpText('after', examples([['Who is connected?', 'omen-server org list']]))
  withJson(org.command('show'))
    .description('show an organization with its connection and codes')
    .argument('<name>', 'its name, as given to code issue')
    .action((name: string, options: Json) => run({ verb: 'org show', name, json: isJson(options) }))
    .addHelpText('after', examples([['How is Acme connected?', 'omen-server org show "Acme"']]))
  withJson(org.command('remove'))
    .description('remove an organization: its users can no longer sign in, its domains are free again')
    .argument('<name>', 'its name, as given to code issue')
    .option('-y, --yes', 'do not ask')
    .action((name: string, options: Json & { yes?: true }) =>
      run({ verb: 'org remove', name, yes: options.yes === true, json: isJson(options) }),
    )
    .addHelpText('after', examples([['In a script', 'omen-server org remove "Acme" --yes']]))
}

function addUser(program: Command, run: Run): void {
  const user = program
    .command('user')
    .description('list the users who have signed in, change their roles, release and remove them')
  withJson(user.command('list'))
    .description('list the users who have signed in')
    .option('--org <name>', 'this organization only')
    .action(({ org, ...options }: Json & { org?: string }) =>
      run({ verb: 'user list', ...(org !== undefined && { org }), json: isJson(options) }),
    )
    .addHelpText('after', examples([['Who of Acme has signed in?', 'omen-server user list --org "Acme"']]))
  withJson(user.command('role'))
    .description('make a user an administrator of the organization, or a member')
    .argument('<email>', 'the address')
    .addArgument(new Argument('<role>', 'the new role').choices(['administrator', 'member']))
    .action((email: string, role: string, options: Json) =>
      run({ verb: 'user role', email, role, json: isJson(options) }),
    )
    .addHelpText(
      'after',
      examples([['The administrators have all left', 'omen-server user role alice@acme.com administrator']]),
    )
  withJson(user.command('release'))
    .description('let the next sign-in with an address take over its user, after the account was re-created')
    .argument('<email>', 'the address')
    .action((email: string, options: Json) => run({ verb: 'user release', email, json: isJson(options) }))
    .addHelpText('after', examples([['Alice has a new account', 'omen-server user release alice@acme.com']]))
  withJson(user.command('remove'))
    .description('remove a user and end their sessions')
    .argument('<email>', 'the address')
    .action((email: string, options: Json) => run({ verb: 'user remove', email, json: isJson(options) }))
    .addHelpText('after', examples([['Bob has left', 'omen-server user remove bob@acme.com']]))
}

function addAudit(program: Command, run: Run): void {
  withJson(program.command('audit'))
    .description('show who did what and when, the latest at the end')
    .option('--org <name>', 'this organization only')
    .option('--action <name>', 'this action only, such as code.issued')
    .option('--since <time>', 'from this time on: 30m, 2h, 7d, 2026-03-01 or 2026-03-01T12:00:00Z')
    .option('-n, --lines <number>', 'at most this many', '50')
    .option('-f, --follow', 'continue with new records; with --json one record per line')
    .action((options: AuditOptions & Json) => run({ verb: 'audit', ...options, json: isJson(options) }))
    .addHelpText(
      'after',
      examples([
        ['What happened at Acme this week?', 'omen-server audit --org "Acme" --since 7d'],
        ['Watch', 'omen-server audit --follow'],
      ]),
    )
}

function addKeys(program: Command, run: Run): void {
  const keys = program.command('keys').description('the keys that encrypt secrets, sign tokens and sign releases')
  withJson(keys.command('rotate'))
    .description('make a new encryption key and encrypt every secret with it, while the service runs')
    .action((options: Json) => run({ verb: 'keys rotate', json: isJson(options) }))
    .addHelpText('after', examples([['Once a year, or after a leak', 'omen-server keys rotate']]))
  withJson(keys.command('rotate-signing'))
    .description('make a new key that signs tokens, while the service runs')
    .option('--end-tokens', 'end the tokens of older keys at once instead of letting them expire')
    .action((options: Json & { endTokens?: true }) =>
      run({ verb: 'keys rotate-signing', endTokens: options.endTokens === true, json: isJson(options) }),
    )
    .addHelpText(
      'after',
      examples([
        ['Once a year', 'omen-server keys rotate-signing'],
        ['After a leak of the key', 'omen-server keys rotate-signing --end-tokens'],
      ]),
    )
}

function addConfig(program: Command, run: Run): void {
  withJson(program.command('config'))
    .description('show the settings in force and where each comes from; secrets are hidden')
    .action((options: Json) => run({ verb: 'config', json: isJson(options) }))
    .addHelpText('after', examples([['Is my file read?', 'omen-server config --config /etc/omen/server.yaml']]))
}

interface Json {
  readonly json?: boolean
}

function withJson(command: Command): Command {
  return command.option('--json', 'print JSON, for programs')
}

function isJson({ json }: Json): boolean {
  return json === true
}

type Example = readonly [does: string, line: string]

const GETTING_STARTED = (exampleDate: string): readonly Example[] => [
  ['Run the service on this machine', 'omen-server'],
  ['Issue the first code', `omen-server code issue --org "Acme" --expires ${exampleDate}`],
]

function examples(all: readonly Example[]): string {
  return `\nExamples:\n${all.map(([does, line]) => `  # ${does}\n  ${line}\n`).join('')}`
}

function visibleGlobalOptions(this: Help, command: Command): Option[] {
  const program = command.parent?.parent ?? command.parent
  if (program === null) return []
  const every = TAKES_EVERY_SETTING.has(command.name())
  return program.options.filter(({ hidden, long }) => !hidden && (every || FOR_EVERY_COMMAND.has(long ?? '')))
}

/** The same form as every other error of the service. */
function asUsageError(text: string): string {
  return text.replace(/^error: (.*?)\.?\n(?:\((Did you mean .*)\)\n)?/, (_, message: string, hint?: string) => {
    return `Usage error: ${message}${hint ? `. ${hint}` : ''}\n`
  })
}
