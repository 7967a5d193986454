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

/** What the flags say. */
export interface TemplateCommand {
  readonly quiet: boolean
  /** `-o` as given: undefined without it. */
  readonly output: string | undefined
  /** Where the scheduled job is to live. */
  readonly namespace?: string | undefined
}

/** What writing templates needs of the world. */
export interface TemplateContext {
  readonly out: Screen
  /** Loads the rules that a scan would use. */
  readonly rules: () => Promise<CompiledRules>
  /** Writes a file as a whole or not at all. */
  readonly writeFile: (path: string, chunks: Iterable<string>) => Promise<void>
}

interface Template {
  readonly flag: string
  readonly text: string
  readonly defaultName: string
  readonly message: (name: string) => string
}

/**
 * Writes a data source file for the installed rules, and returns the exit code. The name has the version of the rules
 * package; of the tool, where the package has none.
 *
 * @example
 * await writeDataSources({ quiet: false, output: undefined }, context)   // Wrote data source template to data-sources-1.0.0.yaml
 */
export async function writeDataSources(command: TemplateCommand, context: TemplateContext): Promise<number> {
  const rules = await context.rules()
  const version = rules.version ?? VERSION
  const template: Template = {
    flag: '-g',
    text: dataSourceTemplate(rules, version),
    defaultName: `data-sources-${version}.yaml`,
    message: (name) => `Wrote data source template to ${name}`,
  }
  return writeTemplate(template, command, context)
}

/** What Kubernetes takes for the name of a namespace. */
const NAMESPACE = /^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/

/** The image that the job runs, where nobody says otherwise: deploy/Dockerfile builds it under this name. */
const IMAGE = `omen:${VERSION}`

/**
 * Writes the manifests of a scheduled job, and returns the exit code.
 *
 * @example
 * await writeCronJob({ quiet: false, output: '-' }, context)
 */
export async function writeCronJob(command: TemplateCommand, context: Omit<TemplateContext, 'rules'>): Promise<number> {
  const { namespace } = command
  if (namespace !== undefined && !NAMESPACE.test(namespace)) {
    throw new Failure('Usage', '-n takes the name of a namespace: small letters, digits and hyphens')
  }
  const template: Template = {
    flag: '-j',
    text: cronJobTemplate({ image: IMAGE, version: VERSION, namespace }),
    defaultName: 'cronjob.yaml',
    message: (name) => `Cronjob template written to ${name}`,
  }
  return writeTemplate(template, command, context)
}

async function writeTemplate(
  { flag, text, defaultName, message }: Template,
  { quiet, output }: TemplateCommand,
  { out, writeFile }: Omit<TemplateContext, 'rules'>,
): Promise<number> {
  if (output === '-') {
    out.write(text)
    return 0
  }
  if (output === '') {
    throw new Failure('Usage', `${flag} with -o "" has nothing to do: name a file, or - for standard output`)
  }
  if (output === undefined) refuseToReplace(defaultName, text)
  const name = output ?? defaultName
  await writeFile(name, [text])
  if (!quiet) out.write(`${message(sanitize(name))}\n`)
  return 0
}

/** A template is there to be edited: without being told to, an edited one is not replaced. */
function refuseToReplace(name: string, text: string): void {
  let existing: string
  try {
    existing = readFileSync(name, 'utf8')
  } catch {
    // There is none; or it cannot be read, about which writing it has more to say.
    return
  }
  if (existing === text) return
  throw new Failure('Output', `${name} exists and differs: -o ${name} replaces it, -o <name> writes another file`)
}

/**
 * `omen -g`: writes a data source file for the rules that a scan would run. Returns the exit code.
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
 * `omen -j`: writes the manifests of a job that runs omen in a cluster. Returns the exit code.
 *
 * @example
 * await cron(command, session)   // Cronjob template written to cronjob.yaml
 */
export function cron(command: Extract<Command, { readonly verb: 'cron' }>, { out }: Session): Promise<number> {
  return writeCronJob(command, { out, writeFile: writeFileAtomically })
}
