import { quoteScalar } from './quote-scalar.js'

/** The user of the image, without privileges. */
const NOBODY = 65_532

/**
 * Every value of the scheduled job. The template is generated from this table, the manual shows it, and tests compare them.
 */
export const JOB_VALUES = {
  /** The name of the service account, role, role binding, job and config map. */
  name: 'omen',
  namespace: 'default',
  verbs: ['get', 'list', 'watch'],
  resources: ['pods', 'pods/log'],
  schedule: '*/10 * * * *',
  /** The time from one run to the next. */
  since: '10m',
  concurrencyPolicy: 'Forbid',
  /** Slightly less than the schedule: a late run still reads its own ten minutes; after that the next one is due. */
  startingDeadlineSeconds: 590,
  successfulJobsHistoryLimit: 3,
  failedJobsHistoryLimit: 3,
  backoffLimit: 1,
  /** The exit codes after which a retry does not help: an error was reported, or --fail-on applied. */
  finalExitCodes: [1, 2, 3],
  /** Slightly less than the schedule: a run that hangs is stopped before the next one is due. */
  activeDeadlineSeconds: 590,
  restartPolicy: 'Never',
  user: NOBODY,
  group: NOBODY,
  seccompProfile: 'RuntimeDefault',
  cpuRequest: '100m',
  memoryRequest: '128Mi',
  /** Two thousand containers need less than 300 MiB; the rest is for the state of rules when many problems occur. */
  memoryLimit: '512Mi',
  configurationMount: '/.preq',
  scratchMount: '/tmp',
  scratchLimit: '1Gi',
} as const

/** A variant of the arguments of the job. */
export interface JobCommand {
  readonly about: string
  /** The label of the notification. */
  readonly label: string
  readonly target: readonly string[]
}

/** The first is active and works in any namespace; the others are comments in the template. */
export const JOB_COMMANDS: readonly [JobCommand, ...JobCommand[]] = [
  {
    about: 'Every pod of the namespace except those of this job',
    label: JOB_VALUES.namespace,
    target: ['--selector', `app.kubernetes.io/name!=${JOB_VALUES.name}`],
  },
  { about: 'Pods selected by a label', label: 'web', target: ['--selector', 'app=web'] },
  { about: 'One deployment', label: 'web', target: ['deployment/web'] },
  { about: 'One job', label: 'import', target: ['job/import'] },
  { about: 'One service (also uncomment its rule in the role above)', label: 'shop', target: ['service/shop'] },
]

/**
 * The arguments of the container.
 *
 * @example
 * jobArguments(JOB_COMMANDS[2]!) // ['-y', '-o', 'web: ', '--since', '10m', 'deployment/web']
 */
export function jobArguments({ label, target }: JobCommand): string[] {
  return ['-y', '-o', `${label}: `, '--since', JOB_VALUES.since, ...target]
}

/**
 * The commands as lines of the manifest, the first active and the others commented out.
 *
 * @example
 * jobCommandLines() // ['# Every pod …:', 'args: [-y, -o, "default: ", …]', '# Pods selected by a label:', '# args: […]', …]
 */
export function jobCommandLines(namespace: string = JOB_VALUES.namespace): string[] {
  const [everything, ...others] = JOB_COMMANDS
  return [{ ...everything, label: namespace }, ...others].flatMap((command, index) => {
    const args = `args: [${jobArguments(command).map(quoteArgument).join(', ')}]`
    return [`# ${command.about}:`, index === 0 ? args : `# ${args}`]
  })
}

/** Flags and durations need no quotes. */
function quoteArgument(text: string): string {
  return /^(?:--?[a-z]+|\d+[smh])$/.test(text) ? text : quoteScalar(text)
}
