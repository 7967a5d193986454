import { type Command, Option } from 'commander'
import { SCOPES } from '../releases/token.js'
import type { KeyOptions } from './commands/keys.js'
import type { PackOptions, PublishOptions } from './commands/rules.js'
import type { TokenOptions } from './commands/token.js'
import type { ToolOptions } from './commands/tool.js'

/** The requests of the command line that concern releases. */
export type ReleaseRequest = { readonly json: boolean } & (
  | ({ readonly verb: 'rules pack'; readonly folder: string } & PackOptions)
  | ({ readonly verb: 'rules publish'; readonly file: string } & PublishOptions)
  | { readonly verb: 'rules list' | 'tool list' | 'token list' }
  | { readonly verb: 'rules withdraw'; readonly version: string; readonly org?: string }
  | ({ readonly verb: 'tool publish'; readonly files: readonly string[] } & ToolOptions)
  | { readonly verb: 'tool withdraw'; readonly version: string }
  | ({ readonly verb: 'keys release' } & KeyOptions)
  | ({ readonly verb: 'token issue' } & TokenOptions)
  | { readonly verb: 'token revoke'; readonly token: string }
)

type Run = (request: ReleaseRequest) => Promise<void>

/** How the program describes its commands. */
export interface Words {
  readonly withJson: (command: Command) => Command
  readonly examples: (all: readonly (readonly [does: string, line: string])[]) => string
  /** A date in the future. */
  readonly exampleDate: string
}

interface Json {
  readonly json?: boolean
}

const isJson = ({ json }: Json) => json === true

/** Adds the commands that are about releases: `rules …`, `tool …`, `token …`, and `keys release`. */
export function addReleaseCommands(program: Command, run: Run, words: Words): void {
  const keys = program.commands.find((command) => command.name() === 'keys')
  if (keys) addReleaseKeys(keys, run, words)
  addRules(program, run, words)
  addTool(program, run, words)
  addToken(program, run, words)
  leaveVersionToPack(program)
}

/** The internal name of `--version` for `rules pack`: the program itself also has a `--version`. */
const PACKAGE_VERSION = '--package-version'

/** Flags of the program may come before or after the command. After `rules pack`, `--version` belongs to the command. */
function leaveVersionToPack(program: Command): void {
  const parse = program.parseOptions.bind(program)
  program.parseOptions = (words) => {
    const pack = words.findIndex((word, index) => word === 'rules' && words[index + 1] === 'pack')
    return parse(pack < 0 ? words : words.map((word, index) => (index > pack ? renamed(word) : word)))
  }
}

const renamed = (word: string) => word.replace(/^--version(?=$|=)/, PACKAGE_VERSION)

function addReleaseKeys(keys: Command, run: Run, { withJson, examples }: Words): void {
  withJson(keys.command('release'))
    .description('make, register, list and retire the keys that sign releases')
    .option('--out <folder>', 'folder for a new pair (default: the current folder)')
    .option('--add <file>', 'register the public key of a pair that was made elsewhere')
    .option('--org <name>', 'for the packages of this organization only')
    .option('--list', 'list the keys')
    .option('--retire <id>', 'take a key out of use')
    .action((options: KeyOptions & Json) => run({ verb: 'keys release', ...options, json: isJson(options) }))
    .addHelpText(
      'after',
      examples([
        ['A new pair; keep the private key off this machine', 'omen-server keys release --out ~/release-keys'],
        ['The key of an organization', 'omen-server keys release --add acme.pub.pem --org "Acme"'],
        ['A key that is no longer used', 'omen-server keys release --retire 8e1f0a2b3c4d5e6f'],
      ]),
    )
}

function addRules(program: Command, run: Run, { withJson, examples }: Words): void {
  const rules = program.command('rules').description('pack, publish, list and withdraw packages of rules')
  withJson(rules.command('pack'))
    .description('make a package of a folder of rules; needs no database')
    .argument('[folder]', 'the rules', 'rules')
    .option('--version <version>', 'the version of the package (default: the one in package.yaml)')
    .addOption(new Option(`${PACKAGE_VERSION} <version>`).hideHelp())
    .option('--out <folder>', 'folder for the files (default: the current folder)')
    .option('--key <file>', 'the private key that signs it, in PEM')
    .option('--private', 'a package for one organization')
    .action(
      (folder: string, { packageVersion, ...options }: PackOptions & Json & { readonly packageVersion?: string }) => {
        const version = packageVersion === undefined ? {} : { version: packageVersion }
        return run({ verb: 'rules pack', folder, ...options, ...version, json: isJson(options) })
      },
    )
    .addHelpText(
      'after',
      examples([
        ['Pack and sign the rules of a checkout', 'omen-server rules pack --key release.pem --out packages'],
        ['Rules of your own', 'omen-server rules pack my-rules --private --version 1.0.0 --key acme.pem'],
      ]),
    )
  withJson(rules.command('publish'))
    .description('verify a package with its .sha256 and .sig, and publish it')
    .argument('<file>', 'the package')
    .option('--org <name>', 'to this organization only')
    .option('--notes <text>', 'what is new, in one line (default: the notes in the package)')
    .option('--backport', 'allow a version older than the newest, which stays the newest')
    .action((file: string, options: PublishOptions & Json) =>
      run({ verb: 'rules publish', file, ...options, json: isJson(options) }),
    )
    .addHelpText(
      'after',
      examples([
        ['To everybody', 'omen-server rules publish omen-public-cre-rules.1.4.0.9f2c4e6a8b0d.yaml.gz'],
        [
          'To one organization',
          'omen-server rules publish omen-private-cre-rules.1.0.0.3b5d7f901c2e.yaml.gz --org "Acme"',
        ],
      ]),
    )
  withJson(rules.command('list'))
    .description('list the packages, the latest at the end')
    .action((options: Json) => run({ verb: 'rules list', json: isJson(options) }))
    .addHelpText('after', examples([['What is offered?', 'omen-server rules list']]))
  withJson(rules.command('withdraw'))
    .description('withdraw a version; its number cannot be used again')
    .argument('<version>', 'as the list shows it')
    .option('--org <name>', 'of this organization')
    .action((version: string, options: { readonly org?: string } & Json) =>
      run({ verb: 'rules withdraw', version, ...options, json: isJson(options) }),
    )
    .addHelpText('after', examples([['A package that causes harm', 'omen-server rules withdraw 1.4.0']]))
}

function addTool(program: Command, run: Run, { withJson, examples }: Words): void {
  const tool = program.command('tool').description('publish, list and withdraw executables of the tool')
  withJson(tool.command('publish'))
    .description('verify executables with their signatures, and publish them')
    .argument('<files...>', 'named omen-<version>-<platform>, each with its .sig beside it')
    .option('--notes <text>', 'what is new, in one line')
    .option('--key <file>', 'sign them with this private key instead of using .sig files')
    .option('--backport', 'allow a version older than the newest, which stays the newest')
    .action((files: string[], options: ToolOptions & Json) =>
      run({ verb: 'tool publish', files, ...options, json: isJson(options) }),
    )
    .addHelpText(
      'after',
      examples([
        ['All platforms of a version at once', 'omen-server tool publish omen-0.3.0-linux-x64 omen-0.3.0-darwin-arm64'],
      ]),
    )
  withJson(tool.command('list'))
    .description('list the executables, the latest at the end')
    .action((options: Json) => run({ verb: 'tool list', json: isJson(options) }))
    .addHelpText('after', examples([['For which platforms?', 'omen-server tool list']]))
  withJson(tool.command('withdraw'))
    .description('withdraw a version; its number cannot be used again')
    .argument('<version>', 'as the list shows it')
    .action((version: string, options: Json) => run({ verb: 'tool withdraw', version, json: isJson(options) }))
    .addHelpText('after', examples([['A version that crashes', 'omen-server tool withdraw 0.3.0']]))
}

function addToken(program: Command, run: Run, { withJson, examples, exampleDate }: Words): void {
  const token = program.command('token').description('issue, list and revoke tokens for private packages')
  withJson(token.command('issue'))
    .description('issue a token for an organization; it is shown only once')
    .requiredOption('--org <name>', 'the organization whose packages it can read')
    .requiredOption('--name <name>', 'what it is for, such as ci')
    .option('--scope <scopes>', `${SCOPES.join(', ')}; several separated by commas`, 'rules:read')
    .option('--expires <date>', 'the first day (UTC) on which it no longer works, as YYYY-MM-DD (default: never)')
    .action((options: TokenOptions & Json) => run({ verb: 'token issue', ...options, json: isJson(options) }))
    .addHelpText(
      'after',
      examples([
        ['For the machines of Acme', 'omen-server token issue --org "Acme" --name fleet'],
        [
          'For its pipeline, which publishes',
          `omen-server token issue --org "Acme" --name ci --scope rules:read,rules:publish --expires ${exampleDate}`,
        ],
      ]),
    )
  withJson(token.command('list'))
    .description('list the tokens with their states')
    .action((options: Json) => run({ verb: 'token list', json: isJson(options) }))
    .addHelpText('after', examples([['Which tokens still work?', 'omen-server token list']]))
  withJson(token.command('revoke'))
    .description('end a token at once')
    .argument('<token>', 'the token, or its id in the list')
    .action((given: string, options: Json) => run({ verb: 'token revoke', token: given, json: isJson(options) }))
    .addHelpText(
      'after',
      examples([['A token that leaked', 'omen-server token revoke 6cc81bd4-f321-46cf-b126-781d298729c2']]),
    )
}
