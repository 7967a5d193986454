import { dayLimit, type WallClock } from '../../time/wall-clock.js'
import { openZone, type Stretch, UTC, type ZoneOption } from '../../time/zone.js'
import type { KernelMemory } from '../kernel/memory.js'
import { LOCAL, SECOND_PASS, STATE } from '../kernel/reading-layout.js'

/** Where a stream is in local time, as plain data. */
export interface LocalTimeState {
  /** A local time of the current stretch: in one that occurs twice, the latest of the first pass. */
  readonly local: number
  readonly isSecond: boolean
}

/** The local time of a stream: the zone of times that name none, and the pass of times that occur twice. */
export interface LocalTime {
  /** Gives the moments of local times, and moves with them. */
  readonly clock: WallClock
  /** Whether the first local time occurs twice: then the moments depend on what was read before the stream. */
  readonly startsRepeated: boolean
  /** The data that follows is from this zone. */
  use(zone: ZoneOption): void
  /** Other data follows. */
  forget(): void
  /** Undefined if nothing depends on it. */
  save(): LocalTimeState | undefined
  restore(state: LocalTimeState | undefined): void
}

/** Creates the local time of the reader whose state block is at this address. `limit` is its year limit. */
export function createLocalTime(memory: KernelMemory, state: number, limit: number, zone: ZoneOption = UTC): LocalTime {
  const block = localBlock(memory, state)
  let option: ZoneOption | undefined
  let opened = openZone(zone)
  let startsRepeated = false
  memory.localTimes.set(block.address, { findStretch, findLimits })
  use(zone)

  function isKnown(): boolean {
    return block.readLong(LOCAL.to) > block.readLong(LOCAL.from)
  }

  /** A stretch that the stream enters from later times was passed already: its second pass is the nearer one. */
  function findStretch(local: number): void {
    const stretch = opened.stretchAt(local)
    if (!isKnown()) startsRepeated = stretch.offset !== stretch.secondOffset
    enter(stretch, local, isKnown() && block.readLong(LOCAL.from) >= stretch.to)
  }

  function enter({ from, to, offset, secondOffset }: Stretch, local: number, isSecond: boolean): void {
    block.writeLong(LOCAL.from, from)
    block.writeLong(LOCAL.to, to)
    block.write(LOCAL.offset, offset)
    block.write(LOCAL.secondOffset, secondOffset)
    block.write(LOCAL.isSecond, isSecond ? 1 : 0)
    block.writeLong(LOCAL.latest, local)
  }

  function findLimits(): void {
    block.writeLong(LOCAL.yearLimit, opened.localAt(limit))
    block.writeLong(LOCAL.dayLimit, opened.localAt(dayLimit(limit)))
    block.write(LOCAL.hasLimits, 1)
  }

  function use(next: ZoneOption): void {
    if (next === option) return
    opened = openZone(next)
    option = next
    block.write(LOCAL.hasLimits, 0)
    forget()
  }

  function forget(): void {
    startsRepeated = false
    block.writeLong(LOCAL.from, 0)
    block.writeLong(LOCAL.to, 0)
    if (!opened.isFixed) return
    findStretch(0)
    findLimits()
  }

  return {
    clock: streamClock(memory, state),
    get startsRepeated() {
      return startsRepeated
    },
    use,
    forget,
    save() {
      if (opened.isFixed || !isKnown()) return undefined
      const isTwice = block.read(LOCAL.offset) !== block.read(LOCAL.secondOffset)
      const local = block.readLong(isTwice ? LOCAL.latest : LOCAL.from)
      return { local, isSecond: block.read(LOCAL.isSecond) === 1 }
    },
    restore(saved) {
      if (saved && !opened.isFixed) enter(opened.stretchAt(saved.local), saved.local, saved.isSecond)
    },
  }
}

/** Reads and writes the LOCAL block of a reader. Views are not kept: the memory may grow. */
function localBlock(memory: KernelMemory, state: number) {
  const address = state + 4 * STATE.local
  return {
    address,
    /** Signed. */
    read: (field: number) => memory.u32[(address >> 2) + field] | 0,
    write(field: number, value: number) {
      memory.u32[(address >> 2) + field] = value
    },
    readLong: (field: number) => Number(memory.i64[(address >> 3) + (field >> 1)]),
    writeLong(field: number, value: number) {
      memory.i64[(address >> 3) + (field >> 1)] = BigInt(value)
    },
  }
}

/** The clock of a stream, whose state is in the LOCAL block: the twin of kernel/reading-local.ts. */
export function streamClock(memory: KernelMemory, state: number): WallClock {
  const block = localBlock(memory, state)
  const host = () => memory.localTimes.get(block.address)!
  const limit = (field: number) => {
    if (block.read(LOCAL.hasLimits) === 0) host().findLimits()
    return block.readLong(field)
  }
  return {
    get yearLimit() {
      return Number(memory.i64[(state >> 3) + (STATE.yearLimit >> 1)])
    },
    get localYearLimit() {
      return limit(LOCAL.yearLimit)
    },
    get localDayLimit() {
      return limit(LOCAL.dayLimit)
    },
    secondsOf(local) {
      if (local < block.readLong(LOCAL.from) || local >= block.readLong(LOCAL.to)) host().findStretch(local)
      const [offset, second] = [block.read(LOCAL.offset), block.read(LOCAL.secondOffset)]
      if (offset === second) return local - offset
      const latest = block.readLong(LOCAL.latest)
      // Lord Howe Island sets its clocks back by half an hour only.
      if (latest - local > Math.min(SECOND_PASS, (offset - second) >> 1)) block.write(LOCAL.isSecond, 1)
      if (local > latest) block.writeLong(LOCAL.latest, local)
      return local - (block.read(LOCAL.isSecond) === 1 ? second : offset)
    },
  }
}
