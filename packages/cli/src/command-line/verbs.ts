import { FLAGS } from './flags.js'
import type { HelpTable, Operand, Program, Verb, VerbGroup } from './program.js'

const RULE_IDS: readonly Operand[] = [{ name: 'id', many: true, completes: 'rule' }]
const PATHS: readonly Operand[] = [{ name: 'path', optional: true, many: true, completes: 'file' }]

/** Every verb of `omen`. The first is the default. */
export const VERBS = [
  {
    name: 'scan',
    words: [],
    summary: 'Find known problems in logs',
    about: [
      'Matches every log entry against rules that describe known problems (CREs), prints the problems found, most severe ' +
        'first, and writes a JSON report. Without a path, reads standard input. Folders are read recursively; gzip, ' +
        'zstd, bzip2 and xz are decompressed.',
    ],
    operands: PATHS,
    examples: [
      { does: 'What is wrong with a deployment?', line: 'kubectl logs deployment/web | omen' },
      { does: 'The last two hours of files, including compressed ones', line: 'omen --since 2h /var/log/app.log*' },
      { does: 'Only your own rules', line: 'omen -d -r my-rules/ app.log' },
      { does: 'Pipe only the report to another program', line: "omen -q -o - app.log | jq '.[].id'" },
      { does: 'Fail a pipeline on high or critical problems', line: 'omen -o "" --fail-on high build.log' },
      { does: 'Follow a log, and continue after a restart', line: 'omen -f --state omen.state /var/log/app.log' },
    ],
    alsoCalled: ['scan', 'run', 'detect', 'check', 'search', 'analyze', 'analyse'],
  },
  {
    name: 'generate',
    words: [],
    byFlag: 'generate',
    summary: 'Write a data source template',
    about: [],
    operands: [],
    examples: [],
  },
  {
    name: 'cron',
    words: [],
    byFlag: 'cron',
    summary: 'Write a Kubernetes CronJob template',
    about: [],
    operands: [],
    examples: [],
  },
  {
    name: 'explain',
    words: ['explain'],
    summary: 'Explain a problem and how to fix it',
    about: [
      'Shows the title, severity, cause, impact, mitigation and references of a rule, and what it looks for. The number ' +
        'is enough: 10001 finds CRE-2026-10001.',
    ],
    operands: RULE_IDS,
    examples: [
      { does: 'What does this detection mean?', line: 'omen explain CRE-2026-10001' },
      { does: 'One of your own rules', line: 'omen -r my-rules/ explain SHOP-0001' },
      { does: 'The record as JSON', line: 'omen explain --json 10001' },
    ],
    alsoCalled: ['describe', 'why', 'about', 'info'],
  },
  {
    name: 'rules list',
    words: ['rules', 'list'],
    summary: 'List all rules, or those that match words',
    about: [
      'Prints one line per rule: identifier, severity, source type, title. Words filter the list: part of an identifier or ' +
        'title, a severity, a tag, a source type. Every word must match. The exit code is 1 if no rule does.',
    ],
    operands: [{ name: 'word', optional: true, many: true }],
    examples: [
      { does: 'Which critical rules are there about Kafka?', line: 'omen rules list critical kafka' },
      { does: 'Every identifier, for a script', line: 'omen rules list --ids' },
    ],
    alsoCalled: ['list', 'ls'],
  },
  {
    name: 'rules show',
    words: ['rules', 'show'],
    summary: 'Print a rule as YAML, with its file and line',
    about: ['Prints the rule as written in its document. A good start for your own rule.'],
    operands: RULE_IDS,
    examples: [{ does: 'How is this detected?', line: 'omen rules show CRE-2026-10001' }],
    alsoCalled: ['show', 'get', 'cat'],
  },
  {
    name: 'rules lint',
    words: ['rules', 'lint'],
    summary: 'Check rule documents',
    about: [
      'Checks rule documents and folders; without a path, the current folder. Each finding has a file, line and column. ' +
        'The exit code is 1 if there are errors, and 0 if there are only warnings.',
    ],
    operands: PATHS,
    examples: [
      { does: 'Check before you commit', line: 'omen rules lint my-rules/' },
      { does: 'For an editor or a pipeline', line: 'omen rules lint --json rule.yaml' },
    ],
    alsoCalled: ['lint', 'validate', 'verify'],
  },
  {
    name: 'rules test',
    words: ['rules', 'test'],
    summary: 'Test rules with their hit.log and miss.log',
    about: [
      'Takes folders with a rule.yaml, a hit.log on which the rule must fire and a miss.log on which it must not, or a ' +
        'tree of such folders; without a path, the current folder. Shows which lines matched. The exit code is 1 if a ' +
        'rule fails.',
    ],
    operands: PATHS,
    examples: [{ does: 'Test every rule in a folder', line: 'omen rules test my-rules/' }],
    alsoCalled: ['test'],
  },
  {
    name: 'rules new',
    words: ['rules', 'new'],
    summary: 'Create a rule, with logs to test it',
    about: [
      'Writes a folder with a commented rule.yaml, and a hit.log and a miss.log that pass "omen rules test". Existing ' +
        'files are never overwritten. Without an id, prints the next free one.',
    ],
    operands: [
      { name: 'id', optional: true },
      { name: 'folder', optional: true, completes: 'folder' },
    ],
    examples: [{ does: 'Create a rule to start from', line: 'omen rules new SHOP-0001 my-rules/shop-0001' }],
    alsoCalled: ['new', 'create', 'init', 'add'],
  },
  {
    name: 'rules schema',
    words: ['rules', 'schema'],
    summary: 'Print the JSON Schema of a rule document',
    about: [
      'Editors use it to complete and check rules. Save it next to your rules as rule.schema.json: "omen rules new" then ' +
        'refers to it in the first line of each rule, where YAML editors look for it.',
    ],
    operands: [],
    examples: [{ does: 'For your editor, once', line: 'omen rules schema > my-rules/rule.schema.json' }],
    alsoCalled: ['schema', 'jsonschema'],
  },
  {
    name: 'updates check',
    words: ['updates', 'check'],
    summary: 'Show installed and available versions',
    about: [
      'Asks the service in config.yaml (service.url) for the newest versions, and shows them next to the installed ones. ' +
        'Installs nothing. Without a configured service, makes no request.',
    ],
    operands: [],
    examples: [
      { does: 'Are there newer rules?', line: 'omen updates check' },
      { does: 'For a script', line: 'omen updates check --json' },
    ],
    alsoCalled: ['outdated', 'status'],
  },
  {
    name: 'updates install',
    words: ['updates', 'install'],
    summary: 'Install the newest rules, and with -y the newest omen',
    about: [
      'Downloads newer versions, verifies their hash and signature, and installs them. The previous version is kept. ' +
        'Without -y, asks before it installs a new omen. The exit code is 1 if something could not be installed.',
    ],
    operands: [],
    examples: [
      { does: 'The newest rules, now', line: 'omen updates install' },
      { does: 'Also the newest omen, from a script', line: 'omen updates install -q -y' },
    ],
    alsoCalled: ['update', 'upgrade', 'self-update'],
  },
  {
    name: 'updates trust',
    words: ['updates', 'trust'],
    summary: 'Get updates from a service, and trust its keys',
    about: [
      'Fetches the keys that sign the releases of the service, shows their fingerprints, asks for confirmation, and writes ' +
        'service.url and updates.publicKeys to config.yaml. Compare the fingerprints with those from the operator of the ' +
        'service.',
    ],
    operands: [{ name: 'service url' }],
    examples: [{ does: 'Get rules from your own omen-server', line: 'omen updates trust https://omen.example.com' }],
    alsoCalled: ['trust'],
  },
  {
    name: 'login',
    words: ['login'],
    summary: 'Sign in to your service',
    about: [
      'Shows an address and a code. Open the address in any browser, sign in with your work account, and compare the code. ' +
        'The tokens are stored in .ruletoken and renewed automatically; they give access to the rules of your ' +
        'organization. Without an address, uses service.url from config.yaml; a new address is saved there after you ' +
        'confirm it, or with -y.',
    ],
    operands: [{ name: 'service url', optional: true }],
    examples: [
      { does: 'The first time', line: 'omen login https://omen.example.com' },
      { does: 'Sign in again later', line: 'omen login' },
    ],
    alsoCalled: ['signin', 'sign-in', 'auth', 'authenticate', 'connect'],
  },
  {
    name: 'logout',
    words: ['logout'],
    summary: 'Sign out of your service',
    about: [
      'Ends the session at the service and removes the tokens from this machine. If the service cannot be reached, they ' +
        'are removed anyway, and the exit code is 1.',
    ],
    operands: [],
    examples: [{ does: 'Before you give a machine away', line: 'omen logout' }],
    alsoCalled: ['signout', 'sign-out', 'logoff'],
  },
  {
    name: 'whoami',
    words: ['whoami'],
    summary: 'Show who is signed in, and until when',
    about: ['Asks the service. The exit code is 1 if nobody is signed in.'],
    operands: [],
    examples: [
      { does: 'Who am I?', line: 'omen whoami' },
      { does: 'The e-mail address, for a script', line: 'omen whoami --json | jq -r .email' },
    ],
    alsoCalled: ['who', 'me', 'account', 'user'],
  },
  {
    name: 'config',
    words: ['config'],
    summary: 'Show the settings and their origin',
    about: [
      'Prints every setting with its value and its origin: a flag, the environment, a line of config.yaml, or the default. ' +
        'Secrets are hidden.',
    ],
    operands: [],
    examples: [
      { does: 'Is my config.yaml read?', line: 'omen config' },
      { does: 'With the flags of a scan', line: 'omen config -d -r my-rules/' },
    ],
    alsoCalled: ['settings', 'configuration', 'conf'],
  },
  {
    name: 'completion',
    words: ['completion'],
    summary: 'Print a completion script for your shell',
    about: ['The script completes verbs, flags, values, files and rule identifiers.'],
    operands: [{ name: 'shell', choices: ['bash', 'zsh', 'fish'] }],
    examples: [
      { does: 'bash, in ~/.bashrc', line: 'source <(omen completion bash)' },
      { does: 'zsh, in ~/.zshrc', line: 'source <(omen completion zsh)' },
      { does: 'fish, once', line: 'omen completion fish > ~/.config/fish/completions/omen.fish' },
    ],
    alsoCalled: ['completions', 'complete', 'autocomplete'],
  },
  {
    name: 'help',
    words: ['help'],
    summary: 'Show help for a verb',
    about: ['The same as --help after the verb.'],
    operands: [{ name: 'verb', optional: true, many: true, completes: 'verb' }],
    examples: [{ does: 'Help for testing rules', line: 'omen help rules test' }],
    alsoCalled: ['man', 'usage'],
  },
  {
    name: 'version',
    words: ['version'],
    summary: 'Print the version',
    about: ['The same as --version.'],
    operands: [],
    examples: [{ does: 'Which omen is this?', line: 'omen version' }],
  },
] as const satisfies readonly Verb[]

export type VerbName = (typeof VERBS)[number]['name']

const GROUPS: readonly VerbGroup[] = [
  {
    word: 'rules',
    summary: 'List, show, check, test and create rules',
    about: ['For authors of rules, and for users who want to know what omen looks for.'],
    examples: [
      { does: 'Which rules are there?', line: 'omen rules list' },
      { does: 'Create a rule and test it', line: 'omen rules new SHOP-0001 && omen rules test' },
    ],
  },
  {
    word: 'updates',
    summary: 'Update rules and tool from your service',
    about: [
      'If a service is configured, a scan checks for updates once a day (updateFrequency), and waits at most 300 ms for the ' +
        'response. These verbs check at once.',
    ],
    examples: [
      { does: 'Configure the service, once', line: 'omen updates trust https://omen.example.com' },
      { does: 'Install updates', line: 'omen updates install' },
    ],
  },
]

const TABLES: readonly HelpTable[] = [
  {
    heading: 'Times, for --since and --until',
    rows: [
      ['10m, 1h30m, 2d, "2 hours ago"', 'That long ago'],
      ['03:00', 'Local time; today, or yesterday if that is in the future'],
      ['now, today, yesterday', 'The current time, or midnight of that day'],
      ['2026-03-01, "2026-03-01 12:00"', 'Local time; a date means its midnight'],
      ['2026-03-01T12:00:00.5+02:00', 'With a time zone, as in RFC 3339'],
      ['1772366401', 'Seconds or milliseconds since 1970'],
    ],
  },
  {
    heading: 'Exit codes',
    rows: [
      ['0', 'Success, whether problems were found or not'],
      ['1', 'Error: rules, data, configuration, output, network; with --strict, a warning'],
      ['2', 'The command line is not valid'],
      ['3', 'Problems found with the severity of --fail-on or worse'],
      ['130', 'Interrupted; the report was written'],
    ],
  },
  {
    heading: 'Files and environment',
    rows: [
      ['~/.preq/config.yaml', 'Settings; shown by "omen config"'],
      ['OMEN_CONFIG_DIR', 'Folder to use instead of ~/.preq'],
      ['NO_COLOR, FORCE_COLOR', 'Never or always use colours'],
      ['TZ', 'Time zone for output, --since, --until, and log times without one'],
      ['HTTPS_PROXY, NO_PROXY', 'Proxy for notifications and your service'],
    ],
  },
]

/** The command line of `omen`. */
export const OMEN: Program<VerbName> = {
  name: 'omen',
  summary: 'omen finds known problems in logs.',
  usage: ['omen [flags] [path]…', '<program> | omen [flags]', 'omen <verb> …'],
  flags: FLAGS,
  verbs: VERBS,
  groups: GROUPS,
  tables: TABLES,
}
