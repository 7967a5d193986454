import { spawn } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'
import type { Clock } from '../clock.js'
import { createLogger, openLogFile } from '../http/observing/log.js'
import type { Console } from '../operator/console.js'
import type { Environment } from '../settings/load-settings.js'
import type { Settings } from '../settings/settings.js'
import { announce, INSECURE_WARNING } from './announce.js'
import { type RunningServer, startServer } from './start-server.js'
import { stopSignal } from './stop-signals.js'

export interface ServeOptions {
  readonly clock: Clock
  readonly env: Environment
  readonly console: Console
  readonly process: NodeJS.Process
}

/**
 * Runs the service until a signal stops it, and resolves with the exit code. Messages go to standard output, the log to standard
 * error. After the first SIGTERM or SIGINT, requests in flight finish; a second one exits at once.
 *
 * @example
 * process.exitCode = await serve(settings, { clock, env: process.env, console, process })
 */
export async function serve(settings: Settings, { clock, env, console, process }: ServeOptions): Promise<number> {
  const logger = createLogger({ level: settings.logLevel, destination: openLogFile(2) })
  const stopping = new AbortController()
  const stopped = stopSignal(process, (exitCode) => process.exit(exitCode)).then((signal) => {
    stopping.abort()
    return signal
  })
  // After an uncaught error the state is unknown: requests in flight may finish, then the process exits.
  const failed = new Promise<'failed'>((resolve) => {
    process.on('uncaughtException', (err) => {
      logger.fatal({ err }, 'uncaught error: the service stops')
      resolve('failed')
    })
  })
  if (settings.allowInsecureIdp) console.error(INSECURE_WARNING)
  const pause = (milliseconds: number) => wait(milliseconds, undefined, { signal: stopping.signal })
  const report = (line: string) => console.error(`${line}\n`)
  const server = await startServer(settings, { clock, env, logger, report, pause }).catch((error: unknown) => {
    // A signal came while the service waited for its database.
    if (stopping.signal.aborted) return undefined
    throw error
  })
  if (server === undefined) return 0
  await welcome(server, { clock, console })
  notifySystemd('READY=1', env)
  const reason = await Promise.race([stopped, failed])
  notifySystemd('STOPPING=1', env)
  logger.info({ reason }, 'stopping')
  const { cutOff } = await server.close()
  if (cutOff) logger.warn('some requests did not finish in time and were cut off')
  console.out('omen-server has stopped\n')
  return reason === 'failed' ? 1 : 0
}

async function welcome(
  { settings, operations }: RunningServer,
  { clock, console }: Pick<ServeOptions, 'clock' | 'console'>,
) {
  const issued = await operations.audit({ action: 'code.issued', limit: 1 }).catch(() => [])
  console.out(announce(settings, { hasCodes: issued.length > 0, now: clock() }))
}

/**
 * Notifies systemd, if it started this process with `Type=notify`, that the service is ready or stopping. Node.js has no Unix
 * datagram sockets, so `systemd-notify` sends it (with `NotifyAccess=all`). Nothing depends on it.
 *
 * @example
 * notifySystemd('READY=1', process.env)
 */
function notifySystemd(state: 'READY=1' | 'STOPPING=1', env: Environment): void {
  if (!env.NOTIFY_SOCKET) return
  const notifier = spawn('systemd-notify', [state], { stdio: 'ignore', env: { ...env } })
  notifier.on('error', () => undefined)
  notifier.unref()
}
