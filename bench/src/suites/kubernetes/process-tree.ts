import { readdirSync, readFileSync } from 'node:fs'

/** A process as Linux lists it. */
export interface Process {
  readonly pid: number
  readonly parent: number
  readonly session: number
}

/** The name is in parentheses and may contain parentheses: the fields start after the last one. */
const STAT = /^(\d+) .*\) \S (\d+) \d+ (\d+) /s

/**
 * Reads a line of `/proc/<pid>/stat`.
 *
 * @example
 * readStat('12 (a) b) S 3 12 12 0 …') // { pid: 12, parent: 3, session: 12 }
 */
export function readStat(line: string): Process | undefined {
  const [, pid, parent, session] = STAT.exec(line) ?? []
  return pid === undefined ? undefined : { pid: Number(pid), parent: Number(parent), session: Number(session) }
}

/**
 * The processes that a process started, and those that they started, with itself; also those whose parent is gone, as long as
 * they are in its session.
 *
 * @example
 * treeOf(12, processes) // [12, 14, 15]
 */
export function treeOf(root: number, processes: readonly Process[]): readonly number[] {
  const tree = new Set([root, ...processes.filter(({ session }) => session === root).map(({ pid }) => pid)])
  let size = 0
  while (size < tree.size) {
    size = tree.size
    for (const { pid, parent } of processes) if (tree.has(parent)) tree.add(pid)
  }
  return [...tree]
}

/** The current memory of a process and of all processes that it started, in bytes: a shared page counts for each of them. */
export function treeMemory(root: number): number {
  const processes = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => readStat(readOrNothing(`/proc/${pid}/stat`)) ?? [])
  return treeOf(root, processes).reduce((total, pid) => total + residentOf(pid), 0)
}

function residentOf(pid: number): number {
  const found = /^VmRSS:\s*(\d+) kB$/m.exec(readOrNothing(`/proc/${pid}/status`))
  return found ? Number(found[1]) * 1024 : 0
}

/** The process may have ended since it was listed. */
function readOrNothing(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
