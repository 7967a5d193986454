import type { Source } from '../sources/source.js'
import type { SavedFile, SavedMark } from './state-document.js'

/** What is known of names that are not followed now: those of the last run, and those that were let go in this one. */
export interface AbsentNames {
  leave(file: SavedFile): void
  /** Takes what is known of a name. A source may have got another name since: then the path alone tells. */
  claim(source: Source, path: string): SavedFile | undefined
  /** Somebody else reads the file with this number from now on: who comes back has nothing to go on with in it. */
  forget(group: string, key: string): void
  all(): readonly SavedFile[]
}

export function createAbsentNames(): AbsentNames {
  const byPath = new Map<string, SavedFile[]>()
  /** The paths of those whose file has a number, by group and number. */
  const byNumber = new Map<string, Set<string>>()

  return {
    leave(file) {
      entryOf(byPath, file.path, () => []).push(file)
      if (file.mark) entryOf(byNumber, numberOf(file.group, keyOf(file.mark)), () => new Set<string>()).add(file.path)
    },
    claim({ name }, path) {
      const all = byPath.get(path) ?? []
      const index = all.findIndex(({ source }) => source === name)
      return all.splice(Math.max(0, index), 1)[0]
    },
    forget(group, key) {
      const number = numberOf(group, key)
      for (const path of byNumber.get(number) ?? []) {
        const files = byPath.get(path)!
        byPath.set(
          path,
          files.map((file) => (isOf(file, group, key) ? withoutMark(file) : file)),
        )
      }
      byNumber.delete(number)
    },
    all: () => [...byPath.values()].flat(),
  }
}

function entryOf<T>(map: Map<string, T>, key: string, make: () => T): T {
  const known = map.get(key)
  if (known) return known
  const made = make()
  map.set(key, made)
  return made
}

const numberOf = (group: string, key: string) => `${key} ${group}`

const keyOf = ({ device, inode }: SavedMark) => `${device}:${inode}`

function isOf({ group, mark }: SavedFile, ofGroup: string, key: string): boolean {
  return group === ofGroup && mark !== undefined && keyOf(mark) === key
}

function withoutMark({ mark, ...rest }: SavedFile): SavedFile {
  return rest
}
