import { readFileSync, realpathSync, statSync } from 'node:fs'
import { Failure } from '../failure.js'
import { writeFileAtomically } from '../output/write-file.js'
import { readState, type SavedLeft, type SavedState, STATE_VERSION } from './state-document.js'
import { lockFile } from './state-lock.js'

/** What is written down: the files as texts of JSON, made when they last changed. */
export interface StateParts {
  readonly rules: string
  readonly files: readonly string[]
  readonly left: readonly SavedLeft[]
  /** Anything that JSON can hold, kept for the caller: what is still to be delivered. */
  readonly outbox?: unknown
}

/** A state file that this process alone works with until it closes it. */
export interface StateFile {
  readonly path: string
  /** What the last run left; undefined when this is the first. */
  readonly saved: SavedState | undefined
  /** Writes everything down; it is on the disk when this resolves. Rejects with a `Failure` of kind `State`. */
  write(parts: StateParts): Promise<void>
  /** Writes down what is still to be delivered, and leaves the rest as it was written last. */
  writeOutbox(outbox: unknown): Promise<void>
  /** Lets others have it. */
  close(): void
}

/** Log lines stand in it: they are for those who may read the logs. */
const MODE = 0o600

/**
 * Opens a state file, or makes ready to write one. Throws a `Failure` when another process works with it, when it is not a
 * state file, and when a newer omen wrote it; it is never overwritten then.
 *
 * @example
 * const state = openStateFile('/var/lib/omen/state.json')
 * try { await followSources({ …, state }) } finally { state.close() }
 */
export function openStateFile(given: string): StateFile {
  const path = behindLinks(given)
  const lock = lockFile(given, `${path}.lock`)
  try {
    const text = readText(given, path)
    const saved = text.trim() === '' ? undefined : readState(given, text)
    let last: StateParts = saved
      ? { ...saved, files: saved.files.map((file) => JSON.stringify(file)) }
      : { rules: '', files: [], left: [] }
    const write = async (parts: StateParts) => {
      await writeFileAtomically(path, serialize(parts), { mode: MODE }).catch((error: unknown) => {
        throw error instanceof Failure ? new Failure('State', error.message, { cause: error }) : error
      })
      last = parts
    }
    return {
      path: given,
      saved,
      write,
      writeOutbox: (outbox) => write({ ...last, outbox }),
      close: () => lock.release(),
    }
  } catch (error) {
    lock.release()
    throw error
  }
}

function* serialize({ rules, files, left, outbox }: StateParts): Iterable<string> {
  yield `{"omen":"state","version":${STATE_VERSION},"rules":${JSON.stringify(rules)},\n"files":[`
  for (const [index, file] of files.entries()) yield index === 0 ? `\n${file}` : `,\n${file}`
  yield `],\n"left":${JSON.stringify(left)}`
  if (outbox !== undefined) yield `,\n"outbox":${JSON.stringify(outbox)}`
  yield '}\n'
}

/** A new file is an empty one. */
function readText(given: string, path: string): string {
  try {
    if (!(statSync(path, { throwIfNoEntry: false })?.isFile() ?? true)) {
      throw new Failure('State', `${given}: is no file: name one with --state`)
    }
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof Failure) throw error
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return ''
    throw new Failure('State', `${given}: ${REASONS[code ?? ''] ?? code}`, { cause: error })
  }
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied: it belongs to somebody else',
  EPERM: 'permission denied: it belongs to somebody else',
  ERR_STRING_TOO_LONG: 'too large to be a state file: name another file with --state',
}

/** The file itself is replaced when it is written, not a link to it. */
function behindLinks(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
