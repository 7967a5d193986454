import type { ReactNode } from 'react'
import { isWebUrl } from '../../api/request.js'
import { OfflineBanner } from '../../controls/failure-panel.js'
import { Logo } from '../../controls/icon.js'
import { useRequest } from '../../controls/use-request.js'
import { useAccount, useService } from '../account.js'
import { Link, useAddress } from '../navigation.js'
import { pathTo, type RouteMatch, type RouteName } from '../routes.js'
import { announceSignedOut, signInUrl } from '../sign-in.js'
import { RequestFailurePanel } from './resource-view.js'

interface NavLink {
  readonly to: RouteName
  readonly text: string
  /** Further pages for which the link is marked as current. */
  readonly also?: readonly RouteName[]
}

const FOR_EVERYONE: readonly NavLink[] = [{ to: 'rules', text: 'Rules', also: ['rule'] }]

const FOR_USERS: readonly NavLink[] = [
  { to: 'home', text: 'Home' },
  ...FOR_EVERYONE,
  { to: 'sessions', text: 'Sessions' },
]

const FOR_ADMINISTRATORS: readonly NavLink[] = [
  ...FOR_USERS,
  { to: 'members', text: 'Organization', also: ['domains', 'connection', 'tokens', 'audit'] },
]

/** The frame around every page: navigation, the signed-in user, and the page itself. */
export function Shell({ route, children }: { readonly route: RouteMatch | undefined; readonly children: ReactNode }) {
  const account = useAccount()
  const { path, search } = useAddress()
  const links = account === undefined ? FOR_EVERYONE : account.role === 'administrator' ? FOR_ADMINISTRATORS : FOR_USERS
  return (
    <>
      <a className="skip" href="#content">
        Skip to the content
      </a>
      <header className="bar">
        <div>
          <Link className="brand" to={account === undefined ? pathTo('rules') : pathTo('home')}>
            <Logo />
            Omen
          </Link>
          <NavLinks links={links} route={route} label="Pages" />
          <div className="who">
            {account === undefined ? (
              <a className="secondary" href={signInUrl(`${path}${search}`)}>
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
        <OfflineBanner />
        {children}
      </main>
    </>
  )
}

export interface NavLinksProps {
  readonly links: readonly NavLink[]
  readonly route: RouteMatch | undefined
  readonly label: string
}

/** Links to pages; the link to the current page is marked. */
export function NavLinks({ links, route, label }: NavLinksProps) {
  return (
    <nav aria-label={label} className="nav-links">
      <ul>
        {links.map(({ to, text, also = [] }) => {
          const isHere = route?.name === to
          const isInside = route !== undefined && also.includes(route.name)
          return (
            <li key={to}>
              <Link to={pathTo(to)} aria-current={isHere ? 'page' : isInside ? 'true' : undefined}>
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

/** Ends the session here and, where the identity provider supports it, there too. */
export function SignOut({ className }: { readonly className: string }) {
  const service = useService()
  const request = useRequest()
  const signOut = () =>
    request.run(service.signOut, ({ logout_url }) => {
      announceSignedOut()
      location.assign(logout_url !== undefined && isWebUrl(logout_url) ? logout_url : SIGNED_OUT)
    })
  return (
    <>
      <button type="button" className={className} aria-disabled={request.pending} onClick={signOut}>
        Sign out
      </button>
      <RequestFailurePanel request={request} onRetry={signOut} />
    </>
  )
}
