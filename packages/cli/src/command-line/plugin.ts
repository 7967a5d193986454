import { FLAGS } from './flags.js'
import type { Example, Flag, HelpTable, Program, Verb } from './program.js'
import { OMEN, VERBS, type VerbName } from './verbs.js'

export type PluginVerbName = Exclude<VerbName, 'scan'> | 'pods'

const NAME = 'kubectl omen'

/** What has other words here than where files are read. */
const REWORDED: Readonly<Record<string, Partial<Flag>>> = {
  source: { about: 'Read what this data source file lists, no pods; repeatable' },
  follow: { about: 'Keep reading as containers write, restart and come anew', alsoCalled: ['watch', 'stream'] },
  state: { about: 'With -s: remember the place in this file' },
  since: { about: 'Read lines from this time on; see Times' },
  until: { about: 'Read lines up to this time' },
  level: { mistaken: { value: /[=!]/, hint: 'Labels go with --selector.' } },
  threads: { about: 'With -s: scan on 1 to 64 threads', alsoCalled: ['workers', 'jobs'] },
}

/** What `kubectl omen` has beside the flags of `omen`. The letters are those of kubectl, but for -l, the level of the log. */
const OWN: readonly Flag[] = [
  {
    name: 'selector',
    argument: 'labels',
    verbs: ['pods'],
    group: 'read',
    about: 'Read the pods that these labels choose: app=web,tier!=test',
    alsoCalled: ['label', 'labels', 'label-selector'],
  },
  {
    name: 'container',
    short: 'c',
    argument: 'name',
    repeatable: true,
    verbs: ['pods'],
    group: 'read',
    about: 'Read containers of this name alone; repeatable',
    alsoCalled: ['containers'],
  },
  {
    name: 'previous',
    short: 'p',
    verbs: ['pods'],
    group: 'read',
    about: 'Read the instance before the last restart alone; without it, both are read',
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
    about: 'Run the rules for this type, cre.log.kafka or app=cre.log.kafka for a container; repeatable',
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
    about: 'Use this context of kubectl',
  },
  {
    name: 'kubeconfig',
    argument: 'file',
    verbs: ['pods'],
    group: 'cluster',
    about: 'Use this configuration of kubectl',
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

/** The row of what the plugin does without a verb. */
const PODS: Verb<PluginVerbName> = {
  name: 'pods',
  words: [],
  summary: 'Find known problems in the logs of pods',
  about: [
    'Reads the logs of all containers of a target (init and ephemeral ones too, and the instance before a restart), side by ' +
      'side, and matches every entry against rules that describe known problems (CREs). What is wrong is printed, most ' +
      'severe first; the JSON report names namespace, pod and container of every hit. A target is a pod, or deployment/, ' +
      'job/, service/, statefulset/, daemonset/, cronjob/ or replicaset/ and a name. Without one, -n, -A or --selector choose.',
  ],
  operands: [{ name: 'target', optional: true, many: true }],
  examples: [
    { does: 'What is wrong with a deployment?', line: 'kubectl omen deployment/web' },
    { does: 'Pods by label, the last hour', line: 'kubectl omen -n shop --selector app=web --since 1h' },
    { does: 'Everything that runs', line: 'kubectl omen -A --since 10m' },
    { does: 'Why does it crash? The instance before', line: 'kubectl omen web-5d9c7-x2x4b -c app --previous' },
    { does: 'Watch a rollout', line: 'kubectl omen -f deployment/web' },
    { does: 'A job that looks every ten minutes', line: 'kubectl omen -j -o - | kubectl apply -f -' },
  ],
  alsoCalled: ['scan', 'run', 'detect', 'check', 'logs'],
}

const COMPLETION: Pick<Verb, 'about' | 'operands' | 'examples'> = {
  about: ['kubectl completes "kubectl omen" with it: put it on the PATH under the name kubectl_complete-omen.'],
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
  return { ...table, rows: [...rows, ['KUBECONFIG', 'The configuration of kubectl'] as const] }
})

/** The command line of `kubectl omen`: that of `omen`, but for what is read. */
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

/** Whoever has the plugin may not have `omen`. */
function inPlugin({ does, line }: Example): Example {
  return { does, line: line.replaceAll(/(^|&& )omen /g, `$1${NAME} `) }
}
