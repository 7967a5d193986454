import type { Command } from '../command-line/command.js'
import type { Environment } from '../settings/configuration-folder.js'

const MINUTE_MS = 60_000

/** A run starts at most a day late: a name with another time does not come from the controller. */
const LATEST_MS = 24 * 3_600_000

/** The clock of the node may be a little behind that of the controller. */
const EARLIEST_MS = -5 * MINUTE_MS

/**
 * The minute for which this run was scheduled. The CronJob controller names a run `<job>-<minutes since 1970>`, and the template of
 * `omen -j` passes the name on. `--since 10m` counts from that minute, so a late start or a retry reads the same lines. Undefined for a
 * run that was started by hand, and outside a cluster.
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
 * Limits a scheduled run with `--since` to the time before it was due, where the next run starts.
 *
 * @example
 * asScheduled(command, scheduledRun(process.env, new Date()))
 */
export function asScheduled<C extends Command>(command: C, due: Date | undefined): C {
  const isSpan =
    command.verb === 'pods' && command.since !== undefined && command.until === undefined && !command.follow
  return due && isSpan ? { ...command, until: BigInt(due.getTime()) * 1_000_000n - 1n } : command
}
