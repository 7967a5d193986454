import { JOB_VALUES } from './job-values.js'
import { quoteScalar } from './quote-scalar.js'

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
