/** What was unpacked of a frame, as far as copies may reach back. */
export interface History {
  readonly bytes: Uint8Array
  /** The same bytes. */
  readonly view: DataView
  /** Where the next byte goes. */
  end: number
  /** Forgets everything, for a frame whose copies reach back so far. */
  begin(window: number): void
  /** Makes room for a block behind `end`, which may move. */
  makeRoom(): void
}

/** The most that a block can be, packed or not. */
export const MOST_BLOCK = 128 * 1024

/** A block, and a few bytes that are written too many. */
const ROOM = MOST_BLOCK + 16

/** Moving a window costs less the seldomer it is done; and memory costs, too. */
const SLACK = 1024 * 1024

/** Keeps what is needed. Memory is taken as it is used: a header can ask for much and bring little. */
export function createHistory(): History {
  let bytes = new Uint8Array(2 * MOST_BLOCK)
  let view = new DataView(bytes.buffer)
  let kept = 0
  const history: History = {
    get bytes() {
      return bytes
    },
    get view() {
      return view
    },
    end: 0,
    begin(window) {
      kept = window
      history.end = 0
    },
    makeRoom() {
      if (history.end + ROOM <= bytes.length) return
      const most = kept + Math.max(SLACK, kept >>> 2) + ROOM
      if (bytes.length < most) {
        const larger = new Uint8Array(Math.min(most, 2 * bytes.length))
        larger.set(bytes.subarray(0, history.end))
        bytes = larger
        view = new DataView(bytes.buffer)
        return
      }
      bytes.copyWithin(0, history.end - kept, history.end)
      history.end = kept
    },
  }
  return history
}
