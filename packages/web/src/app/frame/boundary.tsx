import { Component, type ReactNode } from 'react'
import { FailurePanel } from '../../controls/failure-panel.js'

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
