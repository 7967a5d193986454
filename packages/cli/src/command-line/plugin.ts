import { FLAGS } from './flags.js'
import type { Example, Flag, HelpTable, Program, Verb } from './program.js'
import { OMEN, VERBS, type VerbName } from './verbs.js'

export type PluginVerbName = Exclude<VerbName, 'scan'> | 'pods'

const NAME = 'kubectl omen'

/** Flags whose help differs from that of `omen`, because pods are read instead of files. */
const REWORDED: Readonly<Record<string, Partial<Flag>>> = {
  source: { about: 'Read what this data source file lists instead of pods; repeatable' },
  follow: { about: 'Keep reading as containers write, restart and are replaced', alsoCalled: ['watch', 'stream'] },
  state: { about: 'With -s: store the position in this file' },
  since: { about: 'Read lines from this time on; see Times' },
  until: { about: 'Read lines up to this time' },
  'log-tz': { about: 'Zone of log times that name none: Europe/Berlin, +02:00, local; default: UTC' },
  'allow-empty': { about: 'Accept that there is nothing to examine' },
  level: { mistaken: { value: /[=!]/, hint: 'Select pods by label with --selector.' } },
  threads: { about: 'With -s: scan on 1 to 64 threads', alsoCalled: ['workers', 'jobs'] },
}

/** The flags that `omen` does not have. The letters are those of kubectl, except for -l, which is the log level. */
const OWN: readonly Flag[] = [
  {
    name: 'selector',
    argument: 'labels',
    verbs: ['pods'],
    group: 'read',
    about: 'Read the pods with these labels: app=web,tier!=test',
    alsoCalled: ['label', 'labels', 'label-selector'],
  },
  {
    name: 'container',
    short: 'c',
    argument: 'name',
    repeatable: true,
    verbs: ['pods'],
    group: 'read',
    about: 'Read only containers with this name; repeatable',
    alsoCalled: ['containers'],
  },
  {
    name: 'previous',
    short: 'p',
    verbs: ['pods'],
    group: 'read',
    about: 'Read only the instance before the last restart; default: both',
    alsoCalled: ['prev', 'last'],
  },
  {
    name: 'tail',
    argument: 'n',
    verbs: ['pods'],
    group: 'read',
    about: 'Read the last n lines of each container',
    range: [0, 999_999_999],
    alsoCalled: ['lines', 'last-lines'],
  },
  {
    name: 'parallel',
    argument: 'n',
    verbs: ['pods'],
    group: 'read',
    about: 'Read 1 to 20 logs at a time; default: 10',
    range: [1, 20],
    alsoCalled: ['max-log-requests', 'concurrency', 'connections'],
  },
  {
    name: 'source-type',
    argument: 'type',
    repeatable: true,
    verbs: ['pods'],
    group: 'match',
    about: 'Run the rules for this type: cre.log.kafka, or app=cre.log.kafka for one container; repeatable',
    alsoCalled: ['type', 'types'],
  },
  {
    name: 'namespace',
    short: 'n',
    argument: 'name',
    verbs: ['pods', 'cron'],
    group: 'cluster',
    about: 'Look in this namespace',
    alsoCalled: ['ns'],
  },
  {
    name: 'all-namespaces',
    short: 'A',
    verbs: ['pods'],
    group: 'cluster',
    about: 'Look in all namespaces',
    alsoCalled: ['all', 'everywhere'],
  },
  {
    name: 'context',
    argument: 'name',
    verbs: ['pods'],
    group: 'cluster',
    about: 'Use this kubectl context',
  },
  {
    name: 'kubeconfig',
    argument: 'file',
    verbs: ['pods'],
    group: 'cluster',
    about: 'Use this kubectl configuration',
    completes: 'file',
    alsoCalled: ['config'],
  },
  {
    name: 'as',
    argument: 'user',
    verbs: ['pods'],
    group: 'cluster',
    about: 'Act as this user, as kubectl --as does',
    alsoCalled: ['impersonate'],
  },
]

/** The default verb of the plugin. */
const PODS: Verb<PluginVerbName> = {
  name: 'pods',
  words: [],
  summary: 'Find known problems in the logs of pods',
  about: [
    'Reads the logs of all containers of a target (including init and ephemeral ones, and the instance before a restart) in ' +
      'parallel, and matches every entry against rules that describe known problems (CREs). The problems are printed, most ' +
      'severe first; the JSON report names the namespace, pod and container of every hit. A target is a pod, or deployment/, ' +
      'job/, service/, statefulset/, daemonset/, cronjob/ or replicaset/ and a name. Without a target, select pods with -n, ' +
      '-A or --selector.',
  ],
  operands: [{ name: 'target', optional: true, many: true }],
  examples: [
    { does: 'What is wrong with a deployment?', line: 'kubectl omen deployment/web' },
    { does: 'Pods by label, the last hour', line: 'kubectl omen -n shop --selector app=web --since 1h' },
    { does: 'Everything that runs', line: 'kubectl omen -A --since 10m' },
    { does: 'Why did it crash? Read the previous instance', line: 'kubectl omen web-5d9c7-x2x4b -c app --previous' },
    { does: 'Watch a rollout', line: 'kubectl omen -f deployment/web' },
    { does: 'Run a job every ten minutes', line: 'kubectl omen -j -o - | kubectl apply -f -' },
  ],
  alsoCalled: ['scan', 'run', 'detect', 'check', 'logs'],
}

const COMPLETION: Pick<Verb, 'about' | 'operands' | 'examples'> = {
  about: ['kubectl completes "kubectl omen" with this script: put it on the PATH as kubectl_complete-omen.'],
  operands: [],
  examples: [
    {
      does: 'Once',
      line: 'kubectl omen completion > ~/.local/bin/kubectl_complete-omen && chmod +x ~/.local/bin/kubectl_complete-omen',
    },
  ],
}

const TABLES: readonly HelpTable[] = OMEN.tables.map((table) => {
  if (table.heading !== 'Files and environment') return table
  const rows = table.rows.map(([label, text]) => [label, text.replace('"omen ', `"${NAME} `)] as const)
  return { ...table, rows: [...rows, ['KUBECONFIG', 'The kubectl configuration'] as const] }
})

/** The command line of `kubectl omen`: that of `omen`, except that it reads pods. */
export const KUBECTL_OMEN: Program<PluginVerbName> = {
  name: NAME,
  summary: 'kubectl omen finds known problems in the logs of pods.',
  usage: [`${NAME} [flags] <target>…`, `${NAME} [flags] -n <name> | -A | --selector <labels>`, `${NAME} <verb> …`],
  flags: [...OWN, ...FLAGS.map(adapted)],
  verbs: [PODS, ...VERBS.flatMap(pluginVerb)],
  groups: OMEN.groups.map((group) => ({ ...group, examples: group.examples.map(inPlugin) })),
  tables: TABLES,
}

function adapted(flag: Flag): Flag {
  const verbs = flag.verbs === 'all' ? flag.verbs : flag.verbs.map((name) => (name === 'scan' ? PODS.name : name))
  return { ...flag, verbs, ...REWORDED[flag.name] }
}

function pluginVerb(verb: Verb<VerbName>): readonly Verb<PluginVerbName>[] {
  const { name } = verb
  if (name === 'scan') return []
  const examples = verb.examples.map(inPlugin)
  return [{ ...verb, name, examples, ...(name === 'completion' && COMPLETION) }]
}

/** A user of the plugin may not have `omen` itself, so examples call the plugin. */
function inPlugin({ does, line }: Example): Example {
  return { does, line: line.replaceAll(/(^|&& )omen /g, `$1${NAME} `) }
}
