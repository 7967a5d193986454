import { resolve } from 'node:path'
import { type CompiledRules, createDetector, SnapshotError, type Warn } from '@omen/engine'
import { joinPieces } from '../sources/pieces.js'
import type { Source, SourceFile } from '../sources/source.js'
import type { Detectors } from './detectors.js'
import type { Clock, Found } from './follow-options.js'
import { countedPosition, disown, type FollowedFile, type Group, own, remember } from './followed-file.js'
import { linkPieces } from './linked-pieces.js'
import { createMatching, type Matching } from './matching.js'
import type { ReadPosition } from './read-position.js'
import { createAbsentNames } from './saved/absent-names.js'
import {
  FROM_THE_START,
  restoreFile,
  restorePosition,
  restoreWithoutRuleState,
  type StartingPoint,
  saveFile,
} from './saved/saved-file.js'
import type { SavedFile, SavedState } from './saved/state-document.js'

export interface FollowedFilesOptions {
  readonly detectors: Detectors
  readonly rules: CompiledRules
  readonly clock: Clock
  readonly saved: SavedState | undefined
  /** Whether there is a state file. */
  readonly saves: boolean
  readonly found: Found
  readonly warn: Warn
}

/** The names that are followed. */
export interface FollowedFiles {
  /** Adds the files of a source that are not followed yet, and returns them. */
  add(source: Source, files: readonly SourceFile[]): Promise<readonly FollowedFile[]>
  /** Stops following a name. If there is a state file, its progress stays there: the name may come back. */
  remove(followed: FollowedFile): void
  readonly groups: readonly Group[]
  /** What was saved for names that are not followed now. */
  unclaimed(): readonly SavedFile[]
}

/** Starts to follow names: from their start, or from where the last run stopped. */
export function createFollowedFiles(options: FollowedFilesOptions): FollowedFiles {
  const { detectors, rules, clock, saved, saves, found, warn } = options
  const groups = new Map<string, Group>()
  const absent = createAbsentNames()
  for (const file of saved?.files ?? []) absent.add(file)
  const isOutdated = isRuleStateOutdated(saved, rules, warn)

  function groupOf(source: Source): Group {
    const name = groupNameOf(source)
    let group = groups.get(name)
    if (!group) {
      group = { name, owners: new Map(), finished: new Map(), files: new Map(), absent }
      groups.set(name, group)
      // A file that is no longer followed may have been renamed to one that is.
      for (const { group: of, mark } of [...(saved?.left ?? []), ...(saved?.files ?? [])]) {
        if (of === name && mark) remember(group, restorePosition(mark))
      }
    }
    return group
  }

  async function startingPointOf(source: Source, { path, timestamp, zone }: SourceFile): Promise<StartingPoint> {
    const file = absent.claim(source, resolve(path))
    if (!file) return FROM_THE_START
    if (isOutdated) return restoreWithoutRuleState(file)
    if (file.type !== source.type) {
      await matchHeld(file, source, zone).release('all')
      warn(`${path}: the type is ${source.type} now, not ${file.type}: its rules start again`)
      return restoreWithoutRuleState(file)
    }
    if (file.window !== undefined && source.window === undefined) {
      const ended = await matchHeld(file, source, zone).end()
      const restart = { offset: file.mark?.offset ?? 0, lines: ended?.lines ?? file.mark?.lines ?? 0 }
      return restoreWithoutRuleState({ ...file, anew: restart })
    }
    return restoreFile(file, timestamp)
  }

  /** Entries that waited for their order are matched as they would have been, when the window or the type has changed. */
  function matchHeld(file: SavedFile, source: Source, zone: string | undefined): Matching {
    const { path } = file
    const { matching } = restoreFile(file, file.timestamp)
    return createMatching(detectors, {
      type: file.type,
      window: file.window === undefined ? undefined : BigInt(file.window),
      timestamp: file.timestamp,
      zone,
      report: async (detections) => found(source, detections, { path }),
      warn,
      clock,
      saved: matching,
    })
  }

  return {
    async add(source, files) {
      const group = groupOf(source)
      const added: FollowedFile[] = []
      const unread = new Set<FollowedFile>()
      for (const file of files) {
        const key = resolve(file.path)
        if (group.files.has(key)) continue
        const startingPoint = await startingPointOf(source, file)
        const followed = createFollowedFile(group, source, file, startingPoint, options)
        group.files.set(key, followed)
        added.push(followed)
        if (hasNoState(startingPoint)) unread.add(followed)
      }
      if (unread.size > 0) linkPieces(source, group, unread)
      return added
    },
    remove(followed) {
      const { group, position, path } = followed
      // Another name may have found that its key belongs to a new file.
      const isOwner = position !== undefined && group.owners.get(position.key) === followed
      if (!isOwner) followed.position = undefined
      if (saves) absent.add(JSON.parse(saveFile(followed, clock.now())))
      if (isOwner) remember(group, countedPosition(followed))
      if (isOwner) disown(followed, position)
      // No other name waits for it any more.
      followed.position = undefined
      if (followed.olderPiece) followed.olderPiece.newerPiece = undefined
      group.files.delete(resolve(path))
    },
    get groups() {
      return [...groups.values()]
    },
    unclaimed: absent.all,
  }
}

/** Each log on the command line is a source with its path as the name; together they are one group. */
function groupNameOf({ name, type, files }: Source): string {
  const [log, ...others] = joinPieces(files)
  const isLog = log?.path === name && others.length === 0
  return JSON.stringify(isLog ? [type] : [type, name])
}

function hasNoState({ position, successor, matching }: StartingPoint): boolean {
  return !position && !successor && !matching?.snapshot
}

function createFollowedFile(
  group: Group,
  source: Source,
  { path, timestamp, zone }: SourceFile,
  { position, successor, matching: saved, startsNewFile }: StartingPoint,
  { detectors, clock, found, warn }: FollowedFilesOptions,
): FollowedFile {
  const matching = createMatching(detectors, {
    type: source.type,
    window: source.window,
    timestamp,
    zone,
    report: async (detections) => found(source, detections, { path }),
    warn: (message, subject) => warn(`${path}: ${message}`, subject),
    clock,
    saved,
  })
  const now = clock.elapsed()
  const followed: FollowedFile = {
    path,
    source,
    group,
    timestamp,
    matching,
    position: undefined,
    file: undefined,
    unpacked: undefined,
    lastRead: undefined,
    stat: undefined,
    lastReadAt: now,
    lastSeenAt: now,
    successor: successor && { position: successor, file: undefined },
    successorHasDataAt: undefined,
    deletedAt: undefined,
    startsNewFile,
    skipsZeros: false,
    waitsFor: undefined,
    olderPiece: undefined,
    newerPiece: undefined,
    isCaughtUp: false,
    isResumed: position !== undefined,
    hasExisted: position !== undefined,
    isExpected: true,
    lastReported: undefined,
    isDirty: true,
    savedText: undefined,
  }
  if (position) continueAt(followed, position)
  return followed
}

/** Continues in a file, unless another name has read further in it since it was renamed. */
function continueAt(followed: FollowedFile, position: ReadPosition): void {
  const owner = followed.group.owners.get(position.key)
  const isBehind = owner?.position !== undefined && owner.position.offset >= position.offset
  const loser = isBehind ? followed : owner
  if (loser) {
    loser.position = undefined
    loser.startsNewFile = true
  }
  if (!isBehind) own(followed, position)
}

/** Whether the saved state of the rules cannot be used, which is reported once. */
function isRuleStateOutdated(
  saved: SavedState | undefined,
  rules: CompiledRules,
  warn: (message: string) => void,
): boolean {
  if (!saved || saved.files.length === 0) return false
  if (saved.rules !== rules.fingerprint) {
    warn(
      'the rules have changed since the last run: reading continues where it stopped, what the old rules waited for is dropped',
    )
    return true
  }
  const example = saved.files.find(({ snapshot }) => snapshot)
  if (!example) return false
  try {
    const snapshot = new TextEncoder().encode(JSON.stringify(example.snapshot))
    createDetector(rules, { source: example.type, snapshot })
    return false
  } catch (error) {
    if (!(error instanceof SnapshotError)) throw error
    warn(
      'another version of omen wrote the state: reading continues where it stopped, what its rules waited for is dropped',
    )
    return true
  }
}
