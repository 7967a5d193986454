import { Component, type ReactNode, useEffect, useRef } from 'react'
import { FailurePanel } from '../../controls/failure-panel.js'

export interface PageProps {
  readonly title: string
  /** A shorter title for the browser tab. */
  readonly tab?: string
  /** Shown above the title. */
  readonly above?: ReactNode
  readonly lead?: ReactNode
  readonly children: ReactNode
}

/** Set once the first page is rendered: only later pages move the focus. */
let shown = false

/** A page with its title. A new page moves the focus to the title, so that screen readers announce it. */
export function Page({ title, tab = title, above, lead, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${tab} · Omen`
  }, [tab])
  useEffect(() => {
    // After going back, the browser restores the scroll position.
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

const RENDER_FAILURE = {
  code: 'unreadable',
  title: 'Cannot show this page',
  detail: 'The app may have been updated while it was open. Try again to reload it. Saved changes are not lost.',
  errors: [],
}

/**
 * Catches errors while a page renders, typically a chunk of the app that an update has removed. React supports this only in a
 * class.
 */
export class ErrorBoundary extends Component<{ readonly children: ReactNode }, State> {
  override state: State = { hasFailed: false }

  static getDerivedStateFromError(): State {
    return { hasFailed: true }
  }

  override render(): ReactNode {
    if (!this.state.hasFailed) return this.props.children
    return <FailurePanel failure={RENDER_FAILURE} onAction={() => location.reload()} />
  }
}
