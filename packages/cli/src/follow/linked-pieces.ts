import { resolve } from 'node:path'
import { joinPieces } from '../sources/pieces.js'
import type { Source } from '../sources/source.js'
import type { FollowedFile, Group } from './followed-file.js'
import { flush } from './read-file.js'

/**
 * Links the pieces of rotated logs that are found together, as with `omen --follow app.log*`: they are read one after the other, the
 * oldest first, and the rule state goes from each to the next. Afterwards every name is followed on its own: a rotation only renames
 * what was read already. If the newest piece was read before, it has the rule state, and nothing is linked.
 */
export function linkPieces({ files }: Source, group: Group, unread: ReadonlySet<FollowedFile>): void {
  for (const { pieces } of joinPieces(files)) {
    const followed = pieces.flatMap(({ path }) => group.files.get(resolve(path)) ?? [])
    const newest = followed.at(-1)
    if (newest === undefined || !unread.has(newest)) continue
    followed.slice(1).forEach((newer, index) => {
      const older = followed[index]!
      if (unread.has(newer)) [newer.olderPiece, older.newerPiece] = [older, newer]
    })
  }
}

/** Whether a name has to wait until the older piece was read to its end. If it was, its rule state is taken over. */
export async function waitsForOlder(followed: FollowedFile): Promise<boolean> {
  const older = followed.olderPiece
  if (!older) return false
  const isFollowed = older.group.files.get(resolve(older.path)) === older
  if (isFollowed && !older.isCaughtUp) return true
  followed.olderPiece = undefined
  older.newerPiece = undefined
  if (older.matching.isPending) await flush(older)
  const state = older.matching.handOver()
  if (!state.snapshot) return false
  followed.matching.takeOver(state, older.path)
  followed.startsNewFile = true
  followed.isDirty = true
  older.isDirty = true
  return false
}
