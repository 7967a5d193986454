import { spawn } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { Environment } from '../network/connection.js'

/** What a system opens an address with, and whether there is a screen for it. */
interface Opener {
  readonly command: readonly string[]
  readonly hasScreen: (env: Environment) => boolean
}

const isHere = ({ SSH_CONNECTION, SSH_TTY }: Environment) => !SSH_CONNECTION && !SSH_TTY

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, Opener>>> = {
  linux: { command: ['xdg-open'], hasScreen: ({ DISPLAY, WAYLAND_DISPLAY }) => Boolean(DISPLAY || WAYLAND_DISPLAY) },
  freebsd: { command: ['xdg-open'], hasScreen: ({ DISPLAY, WAYLAND_DISPLAY }) => Boolean(DISPLAY || WAYLAND_DISPLAY) },
  darwin: { command: ['open'], hasScreen: isHere },
  // Not `start`, which is a word of a shell that takes a & in an address for its own.
  win32: { command: ['rundll32.exe', 'url.dll,FileProtocolHandler'], hasScreen: isHere },
}

/**
 * The command that opens an address in a browser; undefined where there is none, or no screen to open it on.
 *
 * @example
 * findOpener('linux', { DISPLAY: ':0', PATH: '/usr/bin' }) // ['/usr/bin/xdg-open']
 */
export function findOpener(platform: NodeJS.Platform, env: Environment): readonly string[] | undefined {
  const opener = OPENERS[platform]
  if (!opener?.hasScreen(env)) return undefined
  const [name = '', ...words] = opener.command
  const folders = (env.PATH ?? env.Path ?? '').split(delimiter).filter((folder) => folder !== '')
  const path = folders.map((folder) => join(folder, name)).find(isProgram)
  return path === undefined ? undefined : [path, ...words]
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Opens an address, without waiting for the browser. What goes wrong is told once it is known. */
export function openBrowser([command = '', ...words]: readonly string[], url: URL, failed: () => void): void {
  const child = spawn(command, [...words, url.href], { detached: true, stdio: 'ignore' })
  child.once('error', failed)
  child.once('exit', (code) => {
    if (code !== 0) failed()
  })
  child.unref()
}
