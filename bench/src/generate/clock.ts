const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

const two = (n: number) => String(n).padStart(2, '0')
const clockTime = (t: Date) => `${two(t.getUTCHours())}:${two(t.getUTCMinutes())}:${two(t.getUTCSeconds())}`
const day = (t: Date, mark: string) => [t.getUTCFullYear(), two(t.getUTCMonth() + 1), two(t.getUTCDate())].join(mark)
const month = (t: Date) => MONTHS[t.getUTCMonth()]!
const seconds = (t: Date) => String(t.getTime() / 1000)

interface Layout {
  /** Everything up to the whole second. */
  readonly head: (time: Date) => string
  readonly point: string
  /** Digits of the second's fraction. */
  readonly digits: number
  readonly tail: string
}

const layout = (head: Layout['head'], point: string, digits: number, tail = ''): Layout => ({
  head,
  point,
  digits,
  tail,
})

/** How programs write a time. A layout has the same width for all times of the log, so that it can be a slot. */
export const LAYOUTS = {
  nano: layout((t) => `${day(t, '-')}T${clockTime(t)}`, '.', 9, 'Z'),
  micro: layout((t) => `${day(t, '-')}T${clockTime(t)}`, '.', 6, 'Z'),
  milli: layout((t) => `${day(t, '-')}T${clockTime(t)}`, '.', 3, 'Z'),
  second: layout((t) => `${day(t, '-')}T${clockTime(t)}`, '', 0, 'Z'),
  comma: layout((t) => `${day(t, '-')} ${clockTime(t)}`, ',', 3),
  space: layout((t) => `${day(t, '-')} ${clockTime(t)}`, '.', 3),
  slashes: layout((t) => `${day(t, '/')} ${clockTime(t)}`, '', 0),
  access: layout((t) => `${two(t.getUTCDate())}/${month(t)}/${t.getUTCFullYear()}:${clockTime(t)}`, '', 0, ' +0000'),
  syslog: layout((t) => `${month(t)} ${String(t.getUTCDate()).padStart(2)} ${clockTime(t)}`, '', 0),
  klog: layout((t) => `${two(t.getUTCMonth() + 1)}${two(t.getUTCDate())} ${clockTime(t)}`, '.', 6),
  redis: layout((t) => `${two(t.getUTCDate())} ${month(t)} ${t.getUTCFullYear()} ${clockTime(t)}`, '.', 3),
  epoch: layout(seconds, '.', 6),
  epochMillis: layout(seconds, '', 3),
} as const satisfies Record<string, Layout>

export type LayoutName = keyof typeof LAYOUTS

/** Slots refer to layouts by number, because a slot is filled for every line. */
export const LAYOUT_NAMES = Object.keys(LAYOUTS) as readonly LayoutName[]
const TABLE: readonly Layout[] = LAYOUT_NAMES.map((name) => LAYOUTS[name])

/** The time of the first line, in seconds. */
export const START = Date.UTC(2026, 2, 1) / 1000

const encoder = new TextEncoder()
const WIDTHS = TABLE.map((row) => wholeSecond(row, START).length)

/** The number of bytes of a layout. */
export const widthOf = (number: number) => WIDTHS[number]!

/** The time of the log. It only moves forward. */
export interface Clock {
  advance(nanoseconds: number): void
  /** Writes the time at `at`, in the layout with that number. */
  write(number: number, out: Uint8Array, at: number): void
}

export function createClock(): Clock {
  let second = START
  let nanos = 0
  // Cached: the nine digits for all slots of a line, and the rest of each layout for a whole second.
  const fraction = new Uint8Array(9).fill(48)
  const texts: (Uint8Array | null)[] = TABLE.map(() => null)
  return {
    advance(nanoseconds) {
      nanos += nanoseconds
      if (nanos >= 1e9) {
        second += Math.floor(nanos / 1e9)
        nanos %= 1e9
        texts.fill(null)
      }
      for (let i = 8, rest = nanos; i >= 0; i--) {
        const quotient = (rest / 10) | 0
        fraction[i] = 48 + rest - quotient * 10
        rest = quotient
      }
    },
    write(number, out, at) {
      const text = texts[number] ?? wholeSecond(TABLE[number]!, second)
      texts[number] = text
      out.set(text, at)
      const { digits, tail } = TABLE[number]!
      const first = at + text.length - tail.length - digits
      for (let i = 0; i < digits; i++) out[first + i] = fraction[i]!
    },
  }
}

/** The text of a layout with zeros for its fraction. */
function wholeSecond({ head, point, digits, tail }: Layout, second: number): Uint8Array {
  return encoder.encode(head(new Date(second * 1000)) + point + '0'.repeat(digits) + tail)
}
