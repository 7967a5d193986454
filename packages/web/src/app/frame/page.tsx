import { Component, type ReactNode, useEffect, useRef } from 'react'
import { FailurePanel } from '../../controls/failure-panel.js'

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

interface State {
  readonly hasFailed: boolean
}

const FAILURE = {
  code: 'unreadable',
  title: 'This page could not be shown',
  detail: 'The app was probably renewed while it was open. Load it again; nothing that was saved is lost.',
  errors: [],
}

/**
 * Catches what goes wrong while a page is shown, above all a part of the app that is no longer there because a newer one was
 * installed. React asks for a class here.
 */
export class Boundary extends Component<{ readonly children: ReactNode }, State> {
  override state: State = { hasFailed: false }

  static getDerivedStateFromError(): State {
    return { hasFailed: true }
  }

  override render(): ReactNode {
    if (!this.state.hasFailed) return this.props.children
    return <FailurePanel failure={FAILURE} onOffer={() => location.reload()} />
  }
}
