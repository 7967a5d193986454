import { LOG_LEVELS } from './command.js'
import type { Flag } from './program.js'

/** The names of the severities, by number. The engine has the same list; importing it here would slow down every start. */
export const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info'] as const

/** The verbs that need no word on the command line. */
const MAIN = ['scan', 'generate', 'cron']
const READS_RULES = [...MAIN, 'explain', 'rules list', 'rules show', 'rules new', 'config']
const INSTALLS = ['updates install', 'updates trust']
const ACCOUNT = ['login', 'logout', 'whoami']
const WORKS = [...READS_RULES, 'rules lint', 'rules test', 'updates check', ...INSTALLS, ...ACCOUNT]

const TIMES = ['10m', '1h', '1d', 'now', 'today', 'yesterday']

/** Every flag of `omen`, in the order of the help page. */
export const FLAGS: readonly Flag[] = [
  {
    name: 'source',
    short: 's',
    argument: 'file',
    repeatable: true,
    verbs: ['scan', 'config'],
    group: 'read',
    about: 'Read what this data source file lists; repeatable',
    completes: 'file',
    alsoCalled: ['sources', 'data-source', 'data-sources', 'input'],
  },
  {
    name: 'follow',
    short: 'f',
    verbs: ['scan'],
    group: 'read',
    about: 'Keep reading as the files grow and are rotated',
    alsoCalled: ['tail', 'watch'],
  },
  {
    name: 'state',
    argument: 'file',
    verbs: ['scan'],
    group: 'read',
    about: 'Store the position in this file; continue from there',
    completes: 'file',
    alsoCalled: ['checkpoint', 'resume', 'cursor-file'],
  },
  {
    name: 'rules',
    short: 'r',
    argument: 'path',
    repeatable: true,
    verbs: READS_RULES,
    group: 'match',
    about: 'Add the rules of this file or folder; repeatable',
    completes: 'file',
    alsoCalled: ['rule', 'rule-file', 'rules-file'],
  },
  {
    name: 'disabled',
    short: 'd',
    verbs: READS_RULES,
    group: 'match',
    about: 'Do not run the community rules',
    alsoCalled: ['disable', 'no-community', 'no-default-rules'],
  },
  {
    name: 'since',
    argument: 'time',
    verbs: ['scan'],
    group: 'match',
    about: 'Match entries from this time on; see Times',
    suggests: TIMES,
    alsoCalled: ['after', 'from', 'start', 'since-time'],
  },
  {
    name: 'until',
    argument: 'time',
    verbs: ['scan'],
    group: 'match',
    about: 'Match entries up to this time',
    suggests: TIMES,
    alsoCalled: ['before', 'to', 'end', 'until-time'],
  },
  {
    name: 'name',
    short: 'o',
    argument: 'file',
    mayBeEmpty: true,
    verbs: MAIN,
    group: 'write',
    about: 'Name of the report or template; - prints it, "" writes no report, "job:" labels notifications',
    completes: 'file',
    alsoCalled: ['output', 'out', 'report', 'file', 'output-file'],
  },
  {
    name: 'quiet',
    short: 'q',
    verbs: WORKS,
    group: 'write',
    about: 'Print no progress, summary or warnings',
    alsoCalled: ['silent', 'no-progress'],
  },
  {
    name: 'generate',
    short: 'g',
    verbs: ['generate'],
    group: 'write',
    about: 'Write a data source template; do not scan',
    alsoCalled: ['template', 'gen'],
  },
  {
    name: 'cron',
    short: 'j',
    verbs: ['cron'],
    group: 'write',
    about: 'Write a Kubernetes CronJob template; do not scan',
    alsoCalled: ['cronjob', 'cron-job'],
  },
  {
    name: 'json',
    verbs: [
      'explain',
      'rules list',
      'rules show',
      'rules lint',
      'rules test',
      'updates check',
      'login',
      'whoami',
      'config',
    ],
    group: 'write',
    about: 'Print JSON',
    elsewhere: 'The report is JSON: -q -o - prints only the report.',
  },
  {
    name: 'ids',
    verbs: ['rules list'],
    group: 'write',
    about: 'Print only identifiers, one per line',
  },
  {
    name: 'fail-on',
    argument: 'severity',
    verbs: ['scan'],
    group: 'other',
    about: 'Exit with 3 if a problem is this severe or worse',
    choices: SEVERITIES,
    shorthand: Object.fromEntries(SEVERITIES.map((label, number) => [number, label])),
    alsoCalled: ['fail', 'exit-code', 'error-on', 'severity', 'fail-level'],
  },
  {
    name: 'strict',
    verbs: ['scan', 'rules lint'],
    group: 'other',
    about: 'Exit with 1 after a warning: something was not read, not matched, or is wrong with a rule',
    alsoCalled: ['werror', 'fail-on-warning', 'fail-on-warnings', 'error-on-warning'],
  },
  {
    name: 'allow-empty',
    verbs: ['scan'],
    group: 'other',
    about: 'Accept that there is nothing to examine; with --fail-on, empty standard input is otherwise an error',
    alsoCalled: ['empty-ok', 'ignore-empty', 'no-input-ok'],
  },
  {
    name: 'threads',
    argument: 'n',
    verbs: ['scan'],
    group: 'other',
    about: 'Scan on 1 to 64 threads; default: as many as are worthwhile',
    range: [1, 64],
    alsoCalled: ['jobs', 'workers', 'parallel', 'concurrency'],
  },
  {
    name: 'level',
    short: 'l',
    argument: 'level',
    verbs: WORKS,
    group: 'other',
    about: 'Log to stderr',
    choices: LOG_LEVELS,
    alsoCalled: ['log-level', 'loglevel', 'log', 'verbose', 'verbosity', 'debug'],
  },
  {
    name: 'accept-updates',
    short: 'y',
    verbs: [...READS_RULES, ...INSTALLS, 'login'],
    group: 'other',
    about: 'Answer yes: accept updates of rules and tool without asking',
    alsoCalled: ['yes', 'assume-yes', 'update', 'accept'],
  },
  { name: 'help', short: 'h', verbs: 'all', group: 'other', about: 'Show help for the program or the verb' },
  { name: 'version', short: 'v', verbs: 'all', group: 'other', about: 'Print the version' },
]
