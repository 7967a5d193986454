import { closeSync, openSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { Failure } from '../failure.js'

/** Who holds a state file. */
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

/** A holder on another machine cannot be asked whether it lives: it shows it by touching the lock this often. */
const HEARTBEAT = 10_000
const DEAD_AFTER = 60_000

/** Whoever makes a lock writes its name into it at once. */
const UNWRITTEN_AFTER = 5000

/** Taking over a dead holder's lock can be lost to another process that does the same. */
const ATTEMPTS = 10

/**
 * Makes sure that one process alone works with a file, with a lock file beside it. One that a dead process left is taken
 * over.
 *
 * @example
 * const lock = lockFile('s.json', 's.json.lock') // Failure: s.json: in use by process 4711
 */
export function lockFile(path: string, lockPath: string): Lock {
  const mine = JSON.stringify(self())
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (create(path, lockPath, mine)) return hold(lockPath, mine)
    const theirs = read(path, lockPath)
    if (theirs === undefined) continue
    if (isAlive(theirs, lockPath)) throw new Failure('State', `${path}: ${describe(theirs, lockPath)}`)
    takeAway(lockPath, theirs)
  }
  throw new Failure('State', `${path}: in use: other processes start with it at the same moment`)
}

function create(path: string, lockPath: string, content: string): boolean {
  let file: number
  try {
    file = openSync(lockPath, 'wx', 0o644)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw refusal(path, error)
  }
  try {
    writeFileSync(file, content)
    return true
  } catch (error) {
    // The disk is full: a lock without a name in it would hold up the next run.
    rmSync(lockPath, { force: true })
    throw refusal(path, error)
  } finally {
    closeSync(file)
  }
}

function refusal(path: string, error: unknown): Failure {
  const { code = '' } = error as NodeJS.ErrnoException
  return new Failure('State', `${path}: ${REASONS[code] ?? code}`, { cause: error })
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'the folder does not exist: create it or name another file with --state',
  ENOTDIR: 'a part of the path is not a folder',
  EACCES: 'permission denied: name a file in a folder that you may write to with --state',
  EPERM: 'permission denied: name a file in a folder that you may write to with --state',
  EROFS: 'the file system is read-only: name another file with --state',
  ENOSPC: 'the disk is full: free some space or name another file with --state',
}

function hold(lockPath: string, mine: string): Lock {
  const heartbeat = setInterval(() => touch(lockPath), HEARTBEAT)
  heartbeat.unref()
  return {
    release() {
      clearInterval(heartbeat)
      if (contentOf(lockPath) === mine) rmSync(lockPath, { force: true })
    },
  }
}

function touch(lockPath: string): void {
  try {
    const now = new Date()
    utimesSync(lockPath, now, now)
  } catch {
    // Somebody removed it: there is nothing to keep up.
  }
}

/** What stands in the lock; undefined when there is none. */
function read(path: string, lockPath: string): string | undefined {
  try {
    return readFileSync(lockPath, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw refusal(path, error)
  }
}

function contentOf(lockPath: string): string | undefined {
  try {
    return readFileSync(lockPath, 'utf8')
  } catch {
    return undefined
  }
}

function isAlive(content: string, lockPath: string): boolean {
  const holder = parse(content)
  const age = ageOf(lockPath)
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

function ageOf(lockPath: string): number {
  const stats = statSync(lockPath, { throwIfNoEntry: false })
  return stats ? Date.now() - stats.mtimeMs : 0
}

function describe(content: string, lockPath: string): string {
  const holder = parse(content)
  if (!holder) return `in use: ${lockPath} was made a moment ago`
  const where = holder.host === hostname() ? '' : ` on ${holder.host}`
  return `in use by process ${holder.pid}${where}: stop it, or name another file with --state`
}

/** Renames the lock first: of two processes that find the same dead lock, one alone can. */
function takeAway(lockPath: string, dead: string): void {
  const aside = `${lockPath}.${process.pid}`
  try {
    renameSync(lockPath, aside)
  } catch {
    return
  }
  // Between the look and the renaming another may have taken over: what was renamed is then a living lock.
  if (contentOf(aside) === dead) rmSync(aside, { force: true })
  else renameSync(aside, lockPath)
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
