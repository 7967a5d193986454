import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, createWriteStream, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'

/** A disk that only programs run with `through` can see, and that can be filled and emptied. */
export interface SmallDisk {
  /** A path on the disk, for programs that run with `through`. */
  path(name?: string): string
  /** A folder outside the disk that every program sees. */
  beside(): string
  /** The command that runs a program so that it sees the disk. */
  through(): readonly string[]
  /** Uses all space that is left. */
  fill(): Promise<void>
  /** Frees it. */
  empty(): void
}

/**
 * A disk of a few megabytes, in memory. It is mounted in its own namespace, so it disappears with the process that holds it,
 * however the tests end.
 *
 * @example
 * const disk = useSmallDisk('64m')
 * await omen.serve(['--data-dir', disk.path('data')], { through: disk.through() })
 */
export function useSmallDisk(size: string): SmallDisk {
  let folder = ''
  let holder: ChildProcess | undefined
  const isRoot = process.getuid?.() === 0
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'omen-disk-'))
    // A database that does not run as root must be able to enter the folder.
    chmodSync(folder, 0o711)
    mkdirSync(join(folder, 'disk'))
    const script = 'mount -t tmpfs -o size="$1",mode=1777 tmpfs "$2" && echo mounted && exec cat'
    const args = [isRoot ? '-m' : '-rm', 'sh', '-c', script, 'sh', size, join(folder, 'disk')]
    holder = spawn('unshare', args, { stdio: ['pipe', 'pipe', 'pipe'] })
    await untilMounted(holder)
  })
  afterAll(() => {
    holder?.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  })
  const inside = (name: string) => join('/proc', String(holder?.pid), 'root', folder, 'disk', name)
  return {
    path: (name = '') => join(folder, 'disk', name),
    beside: () => folder,
    through: () => {
      const target = ['nsenter', '--target', String(holder?.pid), '--mount']
      return isRoot ? target : [...target, '--user', '--preserve-credentials']
    },
    fill: () =>
      new Promise((resolve) => {
        const filler = createWriteStream(inside('filler'))
        filler.once('error', () => resolve())
        const chunk = Buffer.alloc(65_536)
        const write = () => filler.write(chunk, (error) => !error && write())
        write()
      }),
    empty: () => rmSync(inside('filler')),
  }
}

function untilMounted(holder: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = ''
    holder.stdout!.once('data', () => resolve())
    holder.stderr!.on('data', (text) => {
      output += text
    })
    holder.once('exit', () =>
      reject(new Error(`A disk cannot be mounted here: run as root, or allow user namespaces. ${output}`)),
    )
    holder.once('error', reject)
  })
}
