import { resolve } from 'node:path'
import { type CompiledRules, createDetector, SnapshotError } from '@omen/engine'
import type { Source, SourceFile } from '../sources/source.js'
import { createAbsentNames } from './absent-names.js'
import type { Clock } from './clock.js'
import type { Detectors } from './detectors.js'
import type { Mark } from './mark.js'
import { createMatching } from './matching.js'
import { type Beginning, FROM_THE_START, restoreMark, restorePlace, restoreTrail, saveTrail } from './saved-trail.js'
import type { SavedFile, SavedState } from './state-document.js'
import { disown, type Found, type Group, linesRead, own, remember, type Trail } from './trail.js'

export interface TrailsOptions {
  readonly detectors: Detectors
  readonly rules: CompiledRules
  readonly clock: Clock
  readonly saved: SavedState | undefined
  /** Whether there is a state. */
  readonly saves: boolean
  readonly found: Found
  readonly warn: (message: string) => void
}

/** The names that are followed. */
export interface Trails {
  /** Adds those of the files of a source that are not followed yet, and returns them. */
  add(source: Source, files: readonly SourceFile[]): Promise<readonly Trail[]>
  /** Stops following a name. Where there is a state, what is known of it stays in it; it may come back. */
  remove(trail: Trail): void
  readonly groups: readonly Group[]
  /** What the last run left of names that are not followed now. */
  unclaimed(): readonly SavedFile[]
}

/** Makes ready to follow names: from the start, or from where the last run left them. */
export function openTrails(options: TrailsOptions): Trails {
  const { detectors, rules, clock, saved, saves, found, warn } = options
  const groups = new Map<string, Group>()
  const absent = createAbsentNames()
  for (const file of saved?.files ?? []) absent.leave(file)
  const isOutdated = findChange(saved, rules, warn)

  function groupOf(source: Source): Group {
    const name = groupNameOf(source)
    let group = groups.get(name)
    if (!group) {
      group = { name, owners: new Map(), left: new Map(), trails: new Map(), absent }
      groups.set(name, group)
      // What nobody follows now may have been renamed to something that somebody follows.
      for (const { group: of, mark } of [...(saved?.left ?? []), ...(saved?.files ?? [])]) {
        if (of === name && mark) remember(group, restoreMark(mark))
      }
    }
    return group
  }

  async function beginningOf(source: Source, { path, timestamp }: SourceFile): Promise<Beginning> {
    const file = absent.claim(source, resolve(path))
    if (!file) return FROM_THE_START
    if (isOutdated) return restorePlace(file)
    if (file.type !== source.type) {
      warn(`${path}: the type is ${source.type} now, not ${file.type}: its rules start anew`)
      return restorePlace(file)
    }
    if (file.window !== undefined && source.window === undefined) {
      await tellHeld(file, source)
      return restorePlace({ ...file, anew: { offset: file.mark?.offset ?? 0, lines: file.mark?.lines ?? 0 } })
    }
    return restoreTrail(file, timestamp)
  }

  /** Entries that waited to be put in order wait no longer when the window is taken away. */
  async function tellHeld(file: SavedFile, source: Source): Promise<void> {
    const { path } = file
    const { matching } = restoreTrail(file, file.timestamp)
    const held = createMatching(detectors, {
      type: file.type,
      window: BigInt(file.window!),
      timestamp: file.timestamp,
      tell: async (detections) => found(source, detections, { path }),
      warn,
      saved: matching,
    })
    await held.end()
  }

  return {
    async add(source, files) {
      const group = groupOf(source)
      const added: Trail[] = []
      for (const file of files) {
        const key = resolve(file.path)
        if (group.trails.has(key)) continue
        const trail = createTrail(group, source, file, await beginningOf(source, file), options)
        group.trails.set(key, trail)
        added.push(trail)
      }
      return added
    },
    remove(trail) {
      const { group, mark, path } = trail
      // Another trail may have found that its number is that of a new file.
      const isOwner = mark !== undefined && group.owners.get(mark.key) === trail
      if (!isOwner) trail.mark = undefined
      if (saves) absent.leave(JSON.parse(saveTrail(trail, clock.now())))
      if (isOwner) remember(group, { ...mark, lines: linesRead(trail) })
      if (isOwner) disown(trail, mark)
      // Nobody waits for it any more.
      trail.mark = undefined
      group.trails.delete(resolve(path))
    },
    get groups() {
      return [...groups.values()]
    },
    unclaimed: absent.all,
  }
}

/** Each path of the command line is a source of its own, called like it; together they are one group. */
function groupNameOf({ name, type, files }: Source): string {
  const isPath = files.length === 1 && files[0]!.path === name
  return JSON.stringify(isPath ? [type] : [type, name])
}

function createTrail(
  group: Group,
  source: Source,
  { path, timestamp }: SourceFile,
  { mark, next, matching: saved, isNext }: Beginning,
  { detectors, clock, found, warn }: TrailsOptions,
): Trail {
  const matching = createMatching(detectors, {
    type: source.type,
    window: source.window,
    timestamp,
    tell: async (detections) => found(source, detections, { path }),
    warn: (message) => warn(`${path}: ${message}`),
    saved,
  })
  const now = clock.elapsed()
  const trail: Trail = {
    path,
    source,
    group,
    timestamp,
    matching,
    mark: undefined,
    file: undefined,
    unpacked: undefined,
    known: undefined,
    look: undefined,
    readAt: now,
    thereAt: now,
    next: next && { mark: next, file: undefined },
    nextAt: undefined,
    deletedAt: undefined,
    isNext,
    isInHole: false,
    waitsFor: undefined,
    isResumed: mark !== undefined,
    wasThere: mark !== undefined,
    isAwaited: true,
    said: undefined,
    isDirty: true,
    savedText: undefined,
  }
  if (mark) takeUp(trail, mark)
  return trail
}

/** Goes on in a file, unless another has read further in it since it was renamed. */
function takeUp(trail: Trail, mark: Mark): void {
  const owner = trail.group.owners.get(mark.key)
  const isBehind = owner?.mark !== undefined && owner.mark.offset >= mark.offset
  const loser = isBehind ? trail : owner
  if (loser) {
    loser.mark = undefined
    loser.isNext = true
  }
  if (!isBehind) own(trail, mark)
}

/** Whether rules have to start anew everywhere, which is said once. */
function findChange(saved: SavedState | undefined, rules: CompiledRules, warn: (message: string) => void): boolean {
  if (!saved || saved.files.length === 0) return false
  if (saved.rules !== rules.fingerprint) {
    warn(
      'the rules have changed since the last run: reading goes on where it stopped, what the old rules waited for is dropped',
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
      'another version of omen wrote the state: reading goes on where it stopped, what its rules waited for is dropped',
    )
    return true
  }
}
