import type { ReactNode } from 'react'
import { isWebAddress } from '../..//api/request.js'
import { Offline } from '../../controls/failure-panel.js'
import { Mark } from '../../controls/icon.js'
import { useCall } from '../../controls/use-request.js'
import { useAccount, useService } from '../account.js'
import { Link, useAddress } from '../navigation.js'
import { type Place, pathTo, type RouteName } from '../routes.js'
import { signInAddress, tellSignedOut } from '../sign-in.js'
import { Trouble } from './resource-view.js'

interface Way {
  readonly to: RouteName
  readonly text: string
  /** The pages that it stands for, beside its own. */
  readonly also?: readonly RouteName[]
}

const FOR_EVERYBODY: readonly Way[] = [{ to: 'rules', text: 'Rules', also: ['rule'] }]

const FOR_PEOPLE: readonly Way[] = [
  { to: 'home', text: 'Home' },
  ...FOR_EVERYBODY,
  { to: 'sessions', text: 'Sessions' },
]

const FOR_ADMINISTRATORS: readonly Way[] = [
  ...FOR_PEOPLE,
  { to: 'members', text: 'Organization', also: ['domains', 'connection', 'tokens', 'audit'] },
]

/** What is around every page: where one is, where one can go, and who one is. */
export function Shell({ place, children }: { readonly place: Place | undefined; readonly children: ReactNode }) {
  const account = useAccount()
  const { path, search } = useAddress()
  const ways =
    account === undefined ? FOR_EVERYBODY : account.role === 'administrator' ? FOR_ADMINISTRATORS : FOR_PEOPLE
  return (
    <>
      <a className="skip" href="#content">
        To the content
      </a>
      <header className="bar">
        <div>
          <Link className="brand" to={account === undefined ? pathTo('rules') : pathTo('home')}>
            <Mark />
            Omen
          </Link>
          <Ways ways={ways} place={place} label="Pages" />
          <div className="who">
            {account === undefined ? (
              <a className="secondary" href={signInAddress(`${path}${search}`)}>
                Sign in
              </a>
            ) : (
              <>
                <span title={`${account.name}, ${account.organization}`}>{account.email}</span>
                <SignOut className="plain" />
              </>
            )}
          </div>
        </div>
      </header>
      <main id="content" tabIndex={-1}>
        <Offline />
        {children}
      </main>
    </>
  )
}

export interface WaysProps {
  readonly ways: readonly Way[]
  readonly place: Place | undefined
  readonly label: string
}

/** Links to pages, of which the one that is shown is marked. */
export function Ways({ ways, place, label }: WaysProps) {
  return (
    <nav aria-label={label} className="ways">
      <ul>
        {ways.map(({ to, text, also = [] }) => {
          const isHere = place?.name === to
          const isWithin = place !== undefined && also.includes(place.name)
          return (
            <li key={to}>
              <Link to={pathTo(to)} aria-current={isHere ? 'page' : isWithin ? 'true' : undefined}>
                {text}
              </Link>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}

const SIGNED_OUT = '/v1/auth/signed-out'

/** Ends the session here and, where it has a way to do that, at the identity provider. */
export function SignOut({ className }: { readonly className: string }) {
  const service = useService()
  const call = useCall()
  const signOut = () =>
    call.run(service.signOut, ({ logout_url }) => {
      tellSignedOut()
      location.assign(logout_url !== null && isWebAddress(logout_url) ? logout_url : SIGNED_OUT)
    })
  return (
    <>
      <button type="button" className={className} aria-disabled={call.pending} onClick={signOut}>
        Sign out
      </button>
      {call.failure !== undefined && <Trouble failure={call.failure} wait={call.wait} onRetry={signOut} />}
    </>
  )
}
