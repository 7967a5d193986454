import { type ReactNode, useEffect, useRef } from 'react'

export interface PageProps {
  readonly title: string
  /** What the tab says, where the title is too long for it. */
  readonly tab?: string
  /** Stands above the title. */
  readonly above?: ReactNode
  readonly lead?: ReactNode
  readonly children: ReactNode
}

/** Set once the first page is shown: from then on a new one takes the keyboard to its title. */
let shown = false

/** A page with its title. A new one is announced by moving the keyboard there; the first page load moves nothing. */
export function Page({ title, tab = title, above, lead, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${tab} · Omen`
  }, [tab])
  useEffect(() => {
    // Where somebody comes back to, the browser puts the page where it was.
    if (shown) heading.current?.focus({ preventScroll: true })
    shown = true
  }, [])
  return (
    <article className="page">
      <header>
        {above}
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {lead !== undefined && <p className="lead">{lead}</p>}
      </header>
      {children}
    </article>
  )
}
