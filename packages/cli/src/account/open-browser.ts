import { spawn } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { Environment } from '../network/connection.js'

/** The command that opens a URL, and whether there is a screen for the browser. */
interface Opener {
  readonly command: readonly string[]
  readonly hasScreen: (env: Environment) => boolean
}

const isLocal = ({ SSH_CONNECTION, SSH_TTY }: Environment) => !SSH_CONNECTION && !SSH_TTY

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, Opener>>> = {
  linux: { command: ['xdg-open'], hasScreen: ({ DISPLAY, WAYLAND_DISPLAY }) => Boolean(DISPLAY || WAYLAND_DISPLAY) },
  freebsd: { command: ['xdg-open'], hasScreen: ({ DISPLAY, WAYLAND_DISPLAY }) => Boolean(DISPLAY || WAYLAND_DISPLAY) },
  darwin: { command: ['open'], hasScreen: isLocal },
  // Not `start`: it belongs to a shell, which would interpret a & in the URL.
  win32: { command: ['rundll32.exe', 'url.dll,FileProtocolHandler'], hasScreen: isLocal },
}

/**
 * The command that opens a URL in a browser; undefined if there is none, or no screen.
 *
 * @example
 * findOpener('linux', { DISPLAY: ':0', PATH: '/usr/bin' }) // ['/usr/bin/xdg-open']
 */
export function findOpener(platform: NodeJS.Platform, env: Environment): readonly string[] | undefined {
  const opener = OPENERS[platform]
  if (!opener?.hasScreen(env)) return undefined
  const [name = '', ...args] = opener.command
  const folders = (env.PATH ?? env.Path ?? '').split(delimiter).filter((folder) => folder !== '')
  const path = folders.map((folder) => join(folder, name)).find(isProgram)
  return path === undefined ? undefined : [path, ...args]
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Opens a URL without waiting for the browser. Calls `failed` if that does not work. */
export function openBrowser([command = '', ...args]: readonly string[], url: URL, failed: () => void): void {
  const child = spawn(command, [...args, url.href], { detached: true, stdio: 'ignore' })
  child.once('error', failed)
  child.once('exit', (code) => {
    if (code !== 0) failed()
  })
  child.unref()
}
