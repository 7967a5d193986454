import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Api } from './api.js'
import { collectOutput, type Kubectl } from './kubectl.js'
import { createHttpApi } from './over-http.js'

/** All systems accept a socket path of about a hundred bytes. */
const MAX_PATH_LENGTH = 100

/** `kubectl proxy` starts within a fraction of a second, or not at all. */
const START_TIMEOUT_MS = 20_000

/** All versions print this when they are ready. */
const READY = 'Starting to serve'

const END_TIMEOUT_MS = 2000

/**
 * Starts kubectl, and a guard in the same process group. The guard reads from a pipe whose other end omen holds: when omen ends in any
 * way, the pipe closes, and the guard ends the group and removes the folder. The group ID cannot be reused before, because the
 * guard is in the group.
 */
const GUARDED = '(read -r _ <&3; rm -rf "$1"; kill -TERM 0) </dev/null >/dev/null 2>&1 & exec 3<&-; shift; exec "$@"'

/**
 * Connects through `kubectl proxy`: every sign-in method of the user's kubectl works, one process serves any number of logs, and its
 * socket is in a folder that no other user can enter. Undefined if that does not work.
 */
export async function openProxy(kubectl: Kubectl, maxConnections: number): Promise<Api | undefined> {
  // Windows has neither `sh` nor Unix sockets.
  const folder = process.platform === 'win32' ? undefined : makeFolder()
  if (folder === undefined) return undefined
  const socketPath = join(folder, 's')
  const child = start(kubectl, folder, socketPath)
  const errors = collectOutput(child.stderr!)
  if (!(await isReady(child))) {
    await end(child, folder)
    return undefined
  }
  return createHttpApi({
    transport: 'kubectl proxy',
    isSecure: false,
    maxConnections,
    options: () => ({ socketPath, headers: { host: 'localhost' } }),
    explain: () => errors().trim() || undefined,
    close: () => end(child, folder),
  })
}

function makeFolder(): string | undefined {
  for (const parent of [tmpdir(), '/tmp']) {
    if (parent.length > MAX_PATH_LENGTH - '/omen-kube-XXXXXX/s'.length) continue
    try {
      const folder = mkdtempSync(join(parent, 'omen-kube-'))
      // Independent of the umask: a process that can open the socket has the user's permissions in the cluster.
      chmodSync(folder, 0o700)
      return folder
    } catch {
      // Try the next folder.
    }
  }
  return undefined
}

function start({ program, flags, env }: Kubectl, folder: string, socketPath: string): ChildProcess {
  const command = [program, 'proxy', `--unix-socket=${socketPath}`, ...flags]
  return spawn('sh', ['-c', GUARDED, 'omen', folder, ...command], {
    env,
    // In another process group, so that Ctrl-C reaches only omen, which still reads pending data.
    detached: true,
    // It may ask for a password on the terminal.
    stdio: ['inherit', 'pipe', 'pipe', 'pipe'],
  })
}

function isReady(child: ChildProcess): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), START_TIMEOUT_MS)
    let text = ''
    const decide = (ready: boolean) => {
      clearTimeout(timer)
      resolve(ready)
    }
    child.stdout!.on('data', (chunk: Buffer) => {
      if (text.length > 4096) return
      text += chunk.toString()
      if (text.includes(READY)) decide(true)
    })
    child.once('error', () => decide(false))
    child.once('exit', () => decide(false))
  })
}

/** Makes the guard end the group; kills kubectl if that takes too long. */
async function end(child: ChildProcess, folder: string): Promise<void> {
  const exited = new Promise<void>((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) resolve()
    child.once('exit', () => resolve())
  })
  child.stdio[3]?.destroy()
  const timer = setTimeout(() => child.kill('SIGKILL'), END_TIMEOUT_MS)
  await exited
  clearTimeout(timer)
  for (const stream of [child.stdout, child.stderr]) stream?.destroy()
  rmSync(folder, { recursive: true, force: true })
}
