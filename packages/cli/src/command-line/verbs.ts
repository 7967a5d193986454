import { FLAGS } from './flags.js'
import type { HelpTable, Operand, Program, Verb, VerbGroup } from './program.js'

const RULE_IDS: readonly Operand[] = [{ name: 'id', many: true, completes: 'rule' }]
const PATHS: readonly Operand[] = [{ name: 'path', optional: true, many: true, completes: 'file' }]

/** Every verb of `omen`. The first needs no word. */
export const VERBS = [
  {
    name: 'scan',
    words: [],
    summary: 'Find known problems in logs',
    about: [
      'Every log entry is matched against rules that describe known problems (CREs). What is wrong is printed, most ' +
        'severe first, and a JSON report is written. Without a path, standard input is read. Folders are walked; gzip, ' +
        'zstd, bzip2 and xz are unpacked.',
    ],
    operands: PATHS,
    examples: [
      { does: 'What is wrong with a deployment?', line: 'kubectl logs deployment/web | omen' },
      { does: 'Files, compressed ones too; the last two hours', line: 'omen --since 2h /var/log/app.log*' },
      { does: 'Your own rules alone', line: 'omen -d -r my-rules/ app.log' },
      { does: 'The report to another program, nothing else', line: "omen -q -o - app.log | jq '.[].id'" },
      { does: 'Stop a pipeline at high or critical problems', line: 'omen -o "" --fail-on high build.log' },
      { does: 'Watch, and go on after a restart', line: 'omen -f --state omen.state /var/log/app.log' },
    ],
    alsoCalled: ['scan', 'run', 'detect', 'check', 'search', 'analyze', 'analyse'],
  },
  {
    name: 'generate',
    words: [],
    byFlag: 'generate',
    summary: 'Write a template of a data source file',
    about: [],
    operands: [],
    examples: [],
  },
  {
    name: 'cron',
    words: [],
    byFlag: 'cron',
    summary: 'Write a template of a Kubernetes CronJob',
    about: [],
    operands: [],
    examples: [],
  },
  {
    name: 'explain',
    words: ['explain'],
    summary: 'Say what a problem is and what to do about it',
    about: [
      'Shows title, severity, cause, impact, mitigation and references of a rule, and what it looks for. The number ' +
        'alone will do: 10001 finds CRE-2026-10001.',
    ],
    operands: RULE_IDS,
    examples: [
      { does: 'What does this detection mean?', line: 'omen explain CRE-2026-10001' },
      { does: 'A rule of your own', line: 'omen -r my-rules/ explain SHOP-0001' },
      { does: 'The record as JSON', line: 'omen explain --json 10001' },
    ],
    alsoCalled: ['describe', 'why', 'about', 'info'],
  },
  {
    name: 'rules list',
    words: ['rules', 'list'],
    summary: 'List the rules, all or those that match words',
    about: [
      'One line per rule: identifier, severity, source type, title. Words narrow the list: part of an identifier or ' +
        'title, a severity, a tag, a source type. Every word must match; when none does, the exit code is 1.',
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
    summary: 'Print a rule as YAML, and where it stands',
    about: ['Prints the rule as its document has it. A good start for a rule of your own.'],
    operands: RULE_IDS,
    examples: [{ does: 'How is this detected?', line: 'omen rules show CRE-2026-10001' }],
    alsoCalled: ['show', 'get', 'cat'],
  },
  {
    name: 'rules lint',
    words: ['rules', 'lint'],
    summary: 'Check rule documents, with positions and hints',
    about: [
      'Checks documents and folders of them; without a path, the current folder. Each finding has its file, line and ' +
        'column. The exit code is 1 when there are errors; warnings alone give 0.',
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
    summary: 'Run rules over their hit.log and miss.log',
    about: [
      'Takes folders with a rule.yaml, a hit.log that the rule must fire on and a miss.log that it must not fire on, or ' +
        'a tree of such folders; without a path, the current folder. Shows what matched where. The exit code is 1 when ' +
        'a rule fails.',
    ],
    operands: PATHS,
    examples: [{ does: 'Test every rule of a folder', line: 'omen rules test my-rules/' }],
    alsoCalled: ['test'],
  },
  {
    name: 'rules new',
    words: ['rules', 'new'],
    summary: 'Write a new rule with logs to test it',
    about: [
      'Writes a folder with a commented rule.yaml, a hit.log and a miss.log that pass "omen rules test" at once. ' +
        'Nothing is ever overwritten. Without an id, the next free one is named.',
    ],
    operands: [
      { name: 'id', optional: true },
      { name: 'folder', optional: true, completes: 'folder' },
    ],
    examples: [{ does: 'Begin a rule, then test it', line: 'omen rules new SHOP-0001 my-rules/shop-0001' }],
    alsoCalled: ['new', 'create', 'init', 'add'],
  },
  {
    name: 'rules schema',
    words: ['rules', 'schema'],
    summary: 'Print the JSON Schema of a rule document',
    about: [
      'Editors complete and check rules with it. Save it beside your rules as rule.schema.json: from then on "omen rules ' +
        'new" names it in the first line of each rule, where YAML editors look for it.',
    ],
    operands: [],
    examples: [{ does: 'For your editor, once', line: 'omen rules schema > my-rules/rule.schema.json' }],
    alsoCalled: ['schema', 'jsonschema'],
  },
  {
    name: 'updates check',
    words: ['updates', 'check'],
    summary: 'Show what is installed and what is offered',
    about: [
      'Asks the service of config.yaml (service.url) what is newest, and shows it beside what is installed. Nothing is ' +
        'installed. Without a service, nothing is contacted.',
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
      'Downloads what is newer than what is installed, verifies its hash and its signature, and puts it into place. The ' +
        'one before is kept. Without -y, a new omen is asked about. The exit code is 1 when something could not be ' +
        'installed.',
    ],
    operands: [],
    examples: [
      { does: 'The newest rules, now', line: 'omen updates install' },
      { does: 'The newest omen too, from a script', line: 'omen updates install -q -y' },
    ],
    alsoCalled: ['update', 'upgrade', 'self-update'],
  },
  {
    name: 'updates trust',
    words: ['updates', 'trust'],
    summary: 'Take updates from a service, and trust its keys',
    about: [
      'Fetches the keys with which the service signs its releases, shows their fingerprints, asks, and writes service.url ' +
        'and updates.publicKeys into config.yaml. Compare the fingerprints with those that its operator gives you.',
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
      'Shows an address and a code. Open the address in any browser, sign in with the account that you have at work, and ' +
        'compare the code. The tokens are kept in .ruletoken and renewed by themselves; they get the rules of your ' +
        'organization. Without an address it is service.url of config.yaml; a new one is written there after a question, ' +
        'or with -y.',
    ],
    operands: [{ name: 'service url', optional: true }],
    examples: [
      { does: 'The first time', line: 'omen login https://omen.example.com' },
      { does: 'Again, after a month', line: 'omen login' },
    ],
    alsoCalled: ['signin', 'sign-in', 'auth', 'authenticate', 'connect'],
  },
  {
    name: 'logout',
    words: ['logout'],
    summary: 'Sign out of your service',
    about: [
      'Ends the sign-in at the service and removes the tokens here. When the service cannot be reached, they are removed ' +
        'all the same, and the exit code is 1.',
    ],
    operands: [],
    examples: [{ does: 'Before a machine is given away', line: 'omen logout' }],
    alsoCalled: ['signout', 'sign-out', 'logoff'],
  },
  {
    name: 'whoami',
    words: ['whoami'],
    summary: 'Show who is signed in, where, and until when',
    about: ['Asks the service. The exit code is 1 when nobody is signed in.'],
    operands: [],
    examples: [
      { does: 'Who am I?', line: 'omen whoami' },
      { does: 'The address, for a script', line: 'omen whoami --json | jq -r .email' },
    ],
    alsoCalled: ['who', 'me', 'account', 'user'],
  },
  {
    name: 'config',
    words: ['config'],
    summary: 'Show the settings in force and their origin',
    about: [
      'Prints every setting with its value and where the value comes from: a flag, the environment, a line of ' +
        'config.yaml, or the default. Secrets are hidden.',
    ],
    operands: [],
    examples: [
      { does: 'Is my config.yaml read?', line: 'omen config' },
      { does: 'With the flags of a run', line: 'omen config -d -r my-rules/' },
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
    examples: [{ does: 'All about testing rules', line: 'omen help rules test' }],
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
    summary: 'List, show, check, test and write rules',
    about: ['For those who write rules, and for those who want to know what is looked for.'],
    examples: [
      { does: 'What is there?', line: 'omen rules list' },
      { does: 'A rule of your own, from nothing to tested', line: 'omen rules new SHOP-0001 && omen rules test' },
    ],
  },
  {
    word: 'updates',
    summary: 'Newer rules and a newer omen, from your service',
    about: [
      'A scan looks for updates once a day (updateFrequency) when a service is configured, and never waits for it longer ' +
        'than 300 ms. These verbs do it at once.',
    ],
    examples: [
      { does: 'Say where they come from, once', line: 'omen updates trust https://omen.example.com' },
      { does: 'Take them', line: 'omen updates install' },
    ],
  },
]

const TABLES: readonly HelpTable[] = [
  {
    heading: 'Times, for --since and --until',
    rows: [
      ['10m, 1h30m, 2d, 1w', 'So long ago'],
      ['now, today, yesterday', 'This moment, or the midnight of that day'],
      ['2026-03-01, "2026-03-01 12:00"', 'Local time; a date alone is its first moment'],
      ['2026-03-01T12:00:00.5+02:00', 'With a zone, as RFC 3339 has it'],
    ],
  },
  {
    heading: 'Exit codes',
    rows: [
      ['0', 'Done, whether problems were found or not'],
      ['1', 'Error: rules, data, configuration, output, network'],
      ['2', 'The command line cannot be understood'],
      ['3', 'Problems found, as severe as --fail-on says or worse'],
      ['130', 'Interrupted; the report of what was found is written'],
    ],
  },
  {
    heading: 'Files and environment',
    rows: [
      ['~/.preq/config.yaml', 'Settings; "omen config" shows them'],
      ['OMEN_CONFIG_DIR', 'The folder to use instead of ~/.preq'],
      ['NO_COLOR, FORCE_COLOR', 'Never, always colours'],
      ['TZ', 'The time zone of times shown and of --since and --until'],
      ['HTTPS_PROXY, NO_PROXY', 'The way to notification services and your service'],
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
