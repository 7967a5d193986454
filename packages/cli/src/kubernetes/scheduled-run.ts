import type { Command } from '../command-line/command.js'
import type { Environment } from '../settings/configuration-folder.js'

const MINUTE_MS = 60_000

/** A run is due when it starts, or was a while ago: a name that means another time was given by somebody else. */
const LATEST_MS = 24 * 3_600_000

/** The clock of the node may be behind that of the controller, but not by more than this. */
const EARLIEST_MS = -5 * MINUTE_MS

/**
 * The minute for which the schedule had this run due. The controller of CronJobs names a run `<job>-<minutes since 1970>`, and
 * the template of `omen -j` hands that name on. Limits of time that count back from there are the same however late the run
 * starts, and in its second try. Undefined for a run that somebody started by hand, and outside of a cluster.
 *
 * @example
 * scheduledRun({ OMEN_JOB_NAME: 'omen-29396340' }, new Date()) // 2025-11-22T03:00:00.000Z
 */
export function scheduledRun({ OMEN_JOB_NAME }: Environment, now: Date): Date | undefined {
  const minutes = /-(\d{8,9})$/.exec(OMEN_JOB_NAME ?? '')?.[1]
  if (minutes === undefined) return undefined
  const due = new Date(Number(minutes) * MINUTE_MS)
  const late = now.getTime() - due.getTime()
  return late >= EARLIEST_MS && late <= LATEST_MS ? due : undefined
}

/**
 * A command with the end of its span: a scheduled run that counts back reads up to the moment at which it was due, where the
 * next one begins.
 *
 * @example
 * asScheduled(command, scheduledRun(process.env, new Date()))
 */
export function asScheduled<C extends Command>(command: C, due: Date | undefined): C {
  const isSpan =
    command.verb === 'pods' && command.since !== undefined && command.until === undefined && !command.follow
  return due && isSpan ? { ...command, until: BigInt(due.getTime()) * 1_000_000n - 1n } : command
}
