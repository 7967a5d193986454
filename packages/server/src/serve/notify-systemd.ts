import { spawn } from 'node:child_process'
import type { Environment } from '../settings/load-settings.js'

/**
 * Notifies systemd, if it started this process with `Type=notify`, that the service is ready or stopping. Node.js has no Unix
 * datagram sockets, so `systemd-notify` sends it (with `NotifyAccess=all`). Nothing depends on it.
 *
 * @example
 * notifySystemd('READY=1', process.env)
 */
export function notifySystemd(state: 'READY=1' | 'STOPPING=1', env: Environment): void {
  if (!env.NOTIFY_SOCKET) return
  const notifier = spawn('systemd-notify', [state], { stdio: 'ignore', env: { ...env } })
  notifier.on('error', () => undefined)
  notifier.unref()
}
