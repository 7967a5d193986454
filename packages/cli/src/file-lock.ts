import { closeSync, openSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'

/** Who holds a lock. */
interface Holder {
  readonly pid: number
  /** When the process began, as the system counts: process numbers are given again. Empty where it cannot be known. */
  readonly started: string
  readonly host: string
}

/** A lock that somebody holds. */
export interface Lock {
  release(): void
}

/** Why a lock cannot be had: `by process 4711`, or empty where the holder has not yet written who it is. */
export interface InUse {
  readonly heldBy: string
}

/** A holder on another machine cannot be asked whether it lives: it shows it by touching the lock this often. */
const HEARTBEAT = 10_000
const DEAD_AFTER = 60_000

/** Whoever makes a lock writes its name into it at once. */
const UNWRITTEN_AFTER = 5000

/** Taking over a dead holder's lock can be lost to another process that does the same. */
const ATTEMPTS = 10

/**
 * Takes a lock: a file that one process alone can make. One that a dead process left is taken over. Throws what the file
 * system says where it cannot be made.
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
    takeAway(path, theirs)
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
    // The disk is full: a lock without a name in it would hold up the next run.
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
    // Somebody removed it: there is nothing to keep up.
  }
}

/** What stands in the lock; undefined when there is none. */
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
    // Somebody else's process is a process.
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

/** Renames the lock first: of two processes that find the same dead lock, one alone can. */
function takeAway(path: string, dead: string): void {
  const aside = `${path}.${process.pid}`
  try {
    renameSync(path, aside)
  } catch {
    return
  }
  // Between the look and the renaming another may have taken over: what was renamed is then a living lock.
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

/** The boot and the tick at which a process began. Only Linux tells. */
function startOf(pid: number): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    // The name of the program stands in brackets and may hold blanks and brackets: the fields are counted from its end.
    const [, fields = ''] = /\)\s(.*)$/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
    return `${boot} ${fields.split(' ')[19]}`
  } catch {
    return ''
  }
}
