/** Paths on a 16 × 16 grid, stroked in the colour of the surrounding text. */
const SHAPES = {
  tick: 'M3 8.5 6.5 12 13 4.5',
  cross: 'M4 4l8 8M12 4l-8 8',
  warning: 'M8 2.5 14.5 13.5h-13ZM8 6.5v3M8 11.5v.2',
  copy: 'M5.5 5.5v-3h8v8h-3M2.5 5.5h8v8h-8Z',
  clock: 'M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 0 0 8 1.8M8 4.5V8l2.5 1.8',
  arrow: 'M6 3.5 10.5 8 6 12.5',
  open: 'M9.5 2.5h4v4M13.5 2.5 7.5 8.5M11.5 9v4.5h-9v-9H7',
} as const

export type IconName = keyof typeof SHAPES

/** An icon next to a label that says the same, so it is hidden from screen readers. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={SHAPES[name]} />
    </svg>
  )
}

/** The eye of Omen. */
export function Logo() {
  return (
    <svg className="mark" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="8" />
      <path d="M4.5 16C8 10.2 11.7 8 16 8s8 2.2 11.5 8C24 21.8 20.3 24 16 24S8 21.8 4.5 16Z" />
      <path className="moon" d="M16 11.5a4.5 4.5 0 1 0 4.5 4.5 3.4 3.4 0 0 1-4.5-4.5Z" />
    </svg>
  )
}
