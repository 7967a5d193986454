import { Failure } from '../failure.js'

/**
 * The embedded database of a data directory is open in another process. A server may be asked instead, a command that will soon
 * be done may be waited for; whoever can do neither shows it as the failure that it is.
 *
 * @example
 * if (error instanceof DatabaseInUse) await pause(200)
 */
export class DatabaseInUse extends Failure {
  constructor(dataDir: string) {
    super('Database', `${dataDir}: another process uses this database`, {
      hint: 'Stop it first, or run several processes on one PostgreSQL with DATABASE_URL.',
    })
  }
}
