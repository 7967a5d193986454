import { closeSync, openSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'

/** The process that holds a lock. */
interface Holder {
  readonly pid: number
  /** When the process started, because the system reuses process IDs. Empty where that is unknown. */
  readonly started: string
  readonly host: string
}

export interface Lock {
  release(): void
}

/** Another process holds the lock: `by process 4711`, or empty where the holder has not yet written its ID. */
export interface InUse {
  readonly heldBy: string
}

/** The holder touches its lock this often. On another machine that is the only sign that it is alive. */
const HEARTBEAT = 10_000
const DEAD_AFTER = 60_000

/** The holder writes its ID right after it creates the file: a file that stays empty belongs to a dead process. */
const UNWRITTEN_AFTER = 5000

/** Another process may take over the lock of a dead process first. */
const ATTEMPTS = 10

/**
 * Takes a lock: a file that only one process can create. The lock of a dead process is taken over. Throws the error of the
 * file system where the file cannot be created.
 *
 * @example
 * const lock = takeLock('s.json.lock')
 * if ('heldBy' in lock) console.error(`in use ${lock.heldBy}`)
 * else try { … } finally { lock.release() }
 */
export function takeLock(path: string): Lock | InUse {
  const mine = JSON.stringify(self())
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (create(path, mine)) return hold(path, mine)
    const theirs = read(path)
    if (theirs === undefined) continue
    if (isAlive(theirs, path)) return { heldBy: describe(theirs) }
    removeDead(path, theirs)
  }
  return { heldBy: '' }
}

function create(path: string, content: string): boolean {
  let file: number
  try {
    file = openSync(path, 'wx', 0o644)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
  try {
    writeFileSync(file, content)
    return true
  } catch (error) {
    // The disk is full: an empty lock would block the next run.
    rmSync(path, { force: true })
    throw error
  } finally {
    closeSync(file)
  }
}

function hold(path: string, mine: string): Lock {
  const heartbeat = setInterval(() => touch(path), HEARTBEAT)
  heartbeat.unref()
  return {
    release() {
      clearInterval(heartbeat)
      if (contentOf(path) === mine) rmSync(path, { force: true })
    },
  }
}

function touch(path: string): void {
  try {
    const now = new Date()
    utimesSync(path, now, now)
  } catch {
    // The lock was removed.
  }
}

/** The content of the lock; undefined if the file does not exist. */
function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

function contentOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

function isAlive(content: string, path: string): boolean {
  const holder = parse(content)
  const age = ageOf(path)
  if (!holder) return age < UNWRITTEN_AFTER
  const { pid, started, host } = self()
  if (holder.host !== host) return age < DEAD_AFTER
  if (holder.pid === pid) return holder.started === started
  return isRunning(holder)
}

function isRunning({ pid, started }: Holder): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    // The process of another user exists too.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false
  }
  const now = startOf(pid)
  return now === '' || started === '' || now === started
}

function ageOf(path: string): number {
  const stats = statSync(path, { throwIfNoEntry: false })
  return stats ? Date.now() - stats.mtimeMs : 0
}

function describe(content: string): string {
  const holder = parse(content)
  if (!holder) return ''
  return `by process ${holder.pid}${holder.host === hostname() ? '' : ` on ${holder.host}`}`
}

/** Renames the lock first: of two processes that find the same dead lock, only one can. */
function removeDead(path: string, dead: string): void {
  const aside = `${path}.${process.pid}`
  try {
    renameSync(path, aside)
  } catch {
    return
  }
  // Another process may have taken over the lock before the rename: then the renamed file is its lock.
  if (contentOf(aside) === dead) rmSync(aside, { force: true })
  else renameSync(aside, path)
}

function parse(content: string): Holder | undefined {
  try {
    const { pid, started, host } = JSON.parse(content)
    return Number.isSafeInteger(pid) && pid > 0 ? { pid, started: String(started), host: String(host) } : undefined
  } catch {
    return undefined
  }
}

function self(): Holder {
  return { pid: process.pid, started: startOf(process.pid), host: hostname() }
}

/** The boot ID and the tick at which a process started. Only known on Linux. */
function startOf(pid: number): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    // The program name is in brackets and may contain spaces and brackets: the fields are counted from the last bracket.
    const [, fields = ''] = /\)\s(.*)$/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
    return `${boot} ${fields.split(' ')[19]}`
  } catch {
    return ''
  }
}
