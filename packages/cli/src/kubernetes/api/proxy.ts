import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Api } from './api.js'
import { type Kubectl, keepWords } from './kubectl.js'
import { createHttpApi } from './over-http.js'

/** The path of a socket has room for about a hundred bytes in all systems: longer ones are not even tried. */
const LONGEST_PATH = 100

/** `kubectl proxy` serves within a fraction of a second, or it never will. */
const LONGEST_START_MS = 20_000

/** What it prints when it serves, in all versions. */
const SERVES = 'Starting to serve'

/** It ends at once when it is asked to. */
const LONGEST_END_MS = 2000

/**
 * Starts kubectl, and a guard beside it in the same process group. The guard waits for the end of a pipe of which we have the
 * other end: so it learns of our end, however that comes, ends the whole group and removes the folder. The group cannot be
 * another one by then, as the guard is in it.
 */
const GUARDED = '(read -r _ <&3; rm -rf "$1"; kill -TERM 0) </dev/null >/dev/null 2>&1 & exec 3<&-; shift; exec "$@"'

/**
 * Opens the way through `kubectl proxy`: whatever the user's kubectl can sign in with works, one process serves any number of
 * logs, and its socket lies in a folder that nobody else can enter. Undefined where that does not work; another way may.
 */
export async function openProxy(kubectl: Kubectl, most: number): Promise<Api | undefined> {
  // Windows has neither the shell nor such sockets.
  const folder = process.platform === 'win32' ? undefined : makeFolder()
  if (folder === undefined) return undefined
  const socketPath = join(folder, 's')
  const child = start(kubectl, folder, socketPath)
  const said = keepWords(child.stderr!)
  if (!(await serves(child))) {
    await end(child, folder)
    return undefined
  }
  return createHttpApi({
    way: 'kubectl proxy',
    isSecure: false,
    most,
    options: () => ({ socketPath, headers: { host: 'localhost' } }),
    explain: () => said().trim() || undefined,
    close: () => end(child, folder),
  })
}

function makeFolder(): string | undefined {
  for (const place of [tmpdir(), '/tmp']) {
    if (place.length > LONGEST_PATH - '/omen-kube-XXXXXX/s'.length) continue
    try {
      const folder = mkdtempSync(join(place, 'omen-kube-'))
      // Whatever the umask says: who can reach the socket acts with the user's rights in the cluster.
      chmodSync(folder, 0o700)
      return folder
    } catch {
      // Somewhere else, or in another way.
    }
  }
  return undefined
}

function start({ program, flags, env }: Kubectl, folder: string, socketPath: string): ChildProcess {
  const words = [program, 'proxy', `--unix-socket=${socketPath}`, ...flags]
  return spawn('sh', ['-c', GUARDED, 'omen', folder, ...words], {
    env,
    // A group of its own: Ctrl-C is for us, who still want to read what is on its way.
    detached: true,
    // It may ask for a password: the terminal stays its input.
    stdio: ['inherit', 'pipe', 'pipe', 'pipe'],
  })
}

function serves(child: ChildProcess): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), LONGEST_START_MS)
    let text = ''
    const decide = (serving: boolean) => {
      clearTimeout(timer)
      resolve(serving)
    }
    child.stdout!.on('data', (piece: Buffer) => {
      if (text.length > 4096) return
      text += piece.toString()
      if (text.includes(SERVES)) decide(true)
    })
    child.once('error', () => decide(false))
    child.once('exit', () => decide(false))
  })
}

/** Lets the guard do its work; what does not end then is killed. */
async function end(child: ChildProcess, folder: string): Promise<void> {
  const isOver = new Promise<void>((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) resolve()
    child.once('exit', () => resolve())
  })
  child.stdio[3]?.destroy()
  const timer = setTimeout(() => child.kill('SIGKILL'), LONGEST_END_MS)
  await isOver
  clearTimeout(timer)
  for (const stream of [child.stdout, child.stderr]) stream?.destroy()
  rmSync(folder, { recursive: true, force: true })
}
