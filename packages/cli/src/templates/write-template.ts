import { readFileSync } from 'node:fs'
import type { CompiledRules } from '@omen/engine'
import type { Command, CommonOptions } from '../command-line/command.js'
import type { Screen } from '../console/screen.js'
import { sanitize } from '../console/text/sanitize.js'
import { Failure } from '../failure.js'
import { writeFileAtomically } from '../output/write-file.js'
import { prepareRules } from '../rules/loading/prepare-rules.js'
import type { Session } from '../session.js'
import { VERSION } from '../version.js'
import { cronJobTemplate } from './cron-job.js'
import { dataSourceTemplate } from './data-sources.js'

/** The flags of a template command. */
export interface TemplateCommand {
  readonly quiet: boolean
  /** The value of `-o`; undefined without the flag. */
  readonly output: string | undefined
  /** The namespace of the scheduled job. */
  readonly namespace?: string | undefined
}

/** The dependencies of writing a template. */
export interface TemplateDeps {
  readonly out: Screen
  /** Loads the rules that a scan would use. */
  readonly rules: () => Promise<CompiledRules>
  /** Writes a file atomically. */
  readonly writeFile: (path: string, chunks: Iterable<string>) => Promise<void>
}

interface Template {
  readonly flag: string
  readonly text: string
  readonly defaultName: string
  readonly message: (name: string) => string
}

/**
 * Writes a data source file for the installed rules, and returns the exit code. The name contains the version of the rule package,
 * or of the tool if the package has none.
 *
 * @example
 * await writeDataSources({ quiet: false, output: undefined }, deps)   // Wrote data source template to data-sources-1.0.0.yaml
 */
export async function writeDataSources(command: TemplateCommand, deps: TemplateDeps): Promise<number> {
  const rules = await deps.rules()
  const version = rules.version ?? VERSION
  const template: Template = {
    flag: '-g',
    text: dataSourceTemplate(rules, version),
    defaultName: `data-sources-${version}.yaml`,
    message: (name) => `Wrote data source template to ${name}`,
  }
  return writeTemplate(template, command, deps)
}

/** The names that Kubernetes allows for a namespace. */
const NAMESPACE = /^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/

/** The default image of the job: deploy/Dockerfile builds it under this name. */
const IMAGE = `omen:${VERSION}`

/**
 * Writes the manifests of a scheduled job, and returns the exit code.
 *
 * @example
 * await writeCronJob({ quiet: false, output: '-' }, deps)
 */
export async function writeCronJob(command: TemplateCommand, deps: Omit<TemplateDeps, 'rules'>): Promise<number> {
  const { namespace } = command
  if (namespace !== undefined && !NAMESPACE.test(namespace)) {
    throw new Failure('Usage', '-n takes the name of a namespace: lower-case letters, digits and hyphens')
  }
  const template: Template = {
    flag: '-j',
    text: cronJobTemplate({ image: IMAGE, version: VERSION, namespace }),
    defaultName: 'cronjob.yaml',
    message: (name) => `Cronjob template written to ${name}`,
  }
  return writeTemplate(template, command, deps)
}

async function writeTemplate(
  { flag, text, defaultName, message }: Template,
  { quiet, output }: TemplateCommand,
  { out, writeFile }: Omit<TemplateDeps, 'rules'>,
): Promise<number> {
  if (output === '-') {
    out.write(text)
    return 0
  }
  if (output === '') {
    throw new Failure('Usage', `${flag} with -o "" writes nothing: name a file, or - for standard output`)
  }
  if (output === undefined) checkExisting(defaultName, text)
  const name = output ?? defaultName
  await writeFile(name, [text])
  if (!quiet) out.write(`${message(sanitize(name))}\n`)
  return 0
}

/** Throws if an edited template would be replaced without `-o`. */
function checkExisting(name: string, text: string): void {
  let existing: string
  try {
    existing = readFileSync(name, 'utf8')
  } catch {
    // The file does not exist, or cannot be read, which writing it will report.
    return
  }
  if (existing === text) return
  throw new Failure(
    'Output',
    `${name} exists and differs: replace it with -o ${name}, or write another file with -o <name>`,
  )
}

/**
 * Runs `omen -g`: writes a data source file for the rules that a scan would run. Returns the exit code.
 *
 * @example
 * await generate(command, session)   // Wrote data source template to data-sources-1.0.0.yaml
 */
export function generate(command: CommonOptions, session: Session): Promise<number> {
  const { out } = session
  return writeDataSources(command, {
    out,
    rules: () => prepareRules(command, session),
    writeFile: writeFileAtomically,
  })
}

/**
 * Runs `omen -j`: writes the manifests of a job that runs omen in a cluster. Returns the exit code.
 *
 * @example
 * await cron(command, session)   // Cronjob template written to cronjob.yaml
 */
export function cron(command: Extract<Command, { readonly verb: 'cron' }>, { out }: Session): Promise<number> {
  return writeCronJob(command, { out, writeFile: writeFileAtomically })
}
