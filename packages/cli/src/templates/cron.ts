import type { Command } from '../command-line/command.js'
import { writeFileAtomically } from '../output/write-file.js'
import type { Session } from '../session.js'
import { writeCronJob } from './write-template.js'

/**
 * `omen -j`: writes the manifests of a job that runs omen in a cluster. Returns the exit code.
 *
 * @example
 * await cron(command, session)   // Cronjob template written to cronjob.yaml
 */
export function cron(command: Extract<Command, { readonly verb: 'cron' }>, { out }: Session): Promise<number> {
  return writeCronJob(command, { out, writeFile: writeFileAtomically })
}
