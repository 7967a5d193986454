import type { Source } from '../../sources/source.js'
import type { SavedFile, SavedPosition } from './state-document.js'

/** What was saved for names that are not followed now: those of the last run, and those that this run has dropped. */
export interface AbsentNames {
  add(file: SavedFile): void
  /** Takes what was saved for a name. If the source was renamed since, the path alone decides. */
  claim(source: Source, path: string): SavedFile | undefined
  /** Another name reads the file with this key from now on: an absent name does not continue in it. */
  forget(group: string, key: string): void
  all(): readonly SavedFile[]
}

export function createAbsentNames(): AbsentNames {
  const byPath = new Map<string, SavedFile[]>()
  /** The paths of saved files by group and key. */
  const byKey = new Map<string, Set<string>>()

  return {
    add(file) {
      getOrCreate(byPath, file.path, () => []).push(file)
      if (file.mark) getOrCreate(byKey, groupKey(file.group, keyOf(file.mark)), () => new Set<string>()).add(file.path)
    },
    claim({ name }, path) {
      const all = byPath.get(path) ?? []
      const index = all.findIndex(({ source }) => source === name)
      return all.splice(Math.max(0, index), 1)[0]
    },
    forget(group, key) {
      const inGroup = groupKey(group, key)
      for (const path of byKey.get(inGroup) ?? []) {
        const files = byPath.get(path)!
        byPath.set(
          path,
          files.map((file) => (isOf(file, group, key) ? withoutPosition(file) : file)),
        )
      }
      byKey.delete(inGroup)
    },
    all: () => [...byPath.values()].flat(),
  }
}

function getOrCreate<T>(map: Map<string, T>, key: string, create: () => T): T {
  const known = map.get(key)
  if (known) return known
  const created = create()
  map.set(key, created)
  return created
}

const groupKey = (group: string, key: string) => `${key} ${group}`

const keyOf = ({ device, inode }: SavedPosition) => `${device}:${inode}`

function isOf({ group, mark }: SavedFile, ofGroup: string, key: string): boolean {
  return group === ofGroup && mark !== undefined && keyOf(mark) === key
}

function withoutPosition({ mark, ...rest }: SavedFile): SavedFile {
  return rest
}
