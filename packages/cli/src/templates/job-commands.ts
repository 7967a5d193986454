import { quoteScalar } from './quote-scalar.js'

/** Who the job runs as: the user of the image, who owns nothing. */
const NOBODY = 65_532

/**
 * Every value of the scheduled job. The template is written from this table, the manual shows it, and tests hold all of them to
 * each other.
 */
export const JOB_VALUES = {
  /** Of the service account, role, role binding, job and config map alike. */
  name: 'omen',
  namespace: 'default',
  verbs: ['get', 'list', 'watch'],
  resources: ['pods', 'pods/log'],
  schedule: '*/10 * * * *',
  /** As long as from one run to the next. */
  since: '10m',
  concurrencyPolicy: 'Forbid',
  /** Just short of the schedule: a run that comes late still reads its own ten minutes, one that comes later is the next. */
  startingDeadlineSeconds: 590,
  successfulJobsHistoryLimit: 3,
  failedJobsHistoryLimit: 3,
  backoffLimit: 1,
  /** What omen exits with when it has said what is wrong, or found what --fail-on asks for: no second try. */
  finalExitCodes: [1, 2, 3],
  /** Just short of the schedule: a run that hangs is gone when the next one is due. */
  activeDeadlineSeconds: 590,
  restartPolicy: 'Never',
  user: NOBODY,
  group: NOBODY,
  seccompProfile: 'RuntimeDefault',
  cpuRequest: '100m',
  memoryRequest: '128Mi',
  /** Two thousand containers need less than 300 MiB; the rest is for what rules remember of a bad night. */
  memoryLimit: '512Mi',
  configurationMount: '/.preq',
  scratchMount: '/tmp',
  scratchLimit: '1Gi',
} as const

/** One way to say what the job looks at. */
export interface JobCommand {
  readonly about: string
  /** What the notification begins with. */
  readonly label: string
  readonly target: readonly string[]
}

/** The first is live and works in any namespace; the others are there to be uncommented. */
export const JOB_COMMANDS: readonly [JobCommand, ...JobCommand[]] = [
  {
    about: 'Every pod of the namespace but those of this job',
    label: JOB_VALUES.namespace,
    target: ['--selector', `app.kubernetes.io/name!=${JOB_VALUES.name}`],
  },
  { about: 'Pods chosen by a label', label: 'web', target: ['--selector', 'app=web'] },
  { about: 'One deployment', label: 'web', target: ['deployment/web'] },
  { about: 'One job', label: 'import', target: ['job/import'] },
  { about: 'One service (uncomment its rule in the role above, too)', label: 'shop', target: ['service/shop'] },
]

/**
 * The arguments of a command, as the container is given them.
 *
 * @example
 * jobArguments(JOB_COMMANDS[2]!) // ['-y', '-o', 'web: ', '--since', '10m', 'deployment/web']
 */
export function jobArguments({ label, target }: JobCommand): string[] {
  return ['-y', '-o', `${label}: `, '--since', JOB_VALUES.since, ...target]
}

/**
 * The commands as lines of the manifest, the first live and the others commented.
 *
 * @example
 * jobCommandLines() // ['# Every pod …:', 'args: [-y, -o, "default: ", …]', '# Pods chosen by a label:', '# args: […]', …]
 */
export function jobCommandLines(namespace: string = JOB_VALUES.namespace): string[] {
  const [everything, ...others] = JOB_COMMANDS
  return [{ ...everything, label: namespace }, ...others].flatMap((command, index) => {
    const args = `args: [${jobArguments(command).map(quoteArgument).join(', ')}]`
    return [`# ${command.about}:`, index === 0 ? args : `# ${args}`]
  })
}

/** Flags and durations need no quotes, and are easier to read without. */
function quoteArgument(text: string): string {
  return /^(?:--?[a-z]+|\d+[smh])$/.test(text) ? text : quoteScalar(text)
}
