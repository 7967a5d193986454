import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { AccountContext, readAccount, ServiceContext } from './account.js'
import type { AppService } from './api/client.js'
import { RulesPage } from './catalogue/rules-page.js'
import { Boundary, Page } from './frame/page.js'
import { Shown } from './frame/resource-view.js'
import { Shell } from './frame/shell.js'
import { HomePage } from './home/home-page.js'
import { Link, useAddress } from './navigation.js'
import { findPlace, type Place, pathTo, ROUTES, type RouteName } from './routes.js'
import { SessionsPage } from './sessions-page.js'
import { onSignedOut, signInAddress } from './sign-in.js'
import { useRemote } from './use-resource.js'

// What not everybody opens comes when it is opened.
const RulePage = lazy(() => import('./catalogue/rule-page.js').then((part) => ({ default: part.RulePage })))
const MembersPage = lazy(() => import('./organization/pages.js').then((part) => ({ default: part.MembersPage })))
const DomainsPage = lazy(() => import('./organization/pages.js').then((part) => ({ default: part.DomainsPage })))
const ConnectionPage = lazy(() => import('./organization/pages.js').then((part) => ({ default: part.ConnectionPage })))
const TokensPage = lazy(() => import('./organization/pages.js').then((part) => ({ default: part.TokensPage })))
const AuditPage = lazy(() => import('./organization/pages.js').then((part) => ({ default: part.AuditPage })))

const PAGES: Readonly<Record<RouteName, (place: Place) => ReactNode>> = {
  home: () => <HomePage />,
  rules: () => <RulesPage />,
  rule: ({ id }) => <RulePage id={id} />,
  sessions: () => <SessionsPage />,
  members: () => <MembersPage />,
  domains: () => <DomainsPage />,
  connection: () => <ConnectionPage />,
  tokens: () => <TokensPage />,
  audit: () => <AuditPage />,
}

/** The whole app: who is signed in, where they are, and the page that belongs there. */
export function App({ service }: { readonly service: AppService }) {
  const { path } = useAddress()
  const place = findPlace(path)
  const account = useRemote('account', () => readAccount(service))
  const hasLeft = useSignedOut()
  const isPublic = place !== undefined && ROUTES[place.name].for === 'everybody'
  const isNobody = account.failure?.code === 'missing_session'
  return (
    <ServiceContext value={service}>
      <AccountContext value={isNobody ? undefined : account.value}>
        <Shell place={place}>
          {hasLeft ? (
            <SignedOut />
          ) : isPublic ? (
            <Content place={place} />
          ) : (
            <Shown remote={isNobody ? { ...account, value: undefined } : account} what="your account">
              {() => <Content place={place} />}
            </Shown>
          )}
        </Shell>
      </AccountContext>
    </ServiceContext>
  )
}

function Content({ place }: { readonly place: Place | undefined }) {
  if (place === undefined) return <NothingHere />
  return (
    // A new page begins anew, after an error, too.
    <Boundary key={`${place.name} ${place.id}`}>
      <Suspense fallback={<p className="loading">Loading…</p>}>{PAGES[place.name](place)}</Suspense>
    </Boundary>
  )
}

/** Whether another tab has signed out. */
function useSignedOut(): boolean {
  const [hasLeft, setLeft] = useState(false)
  useEffect(() => onSignedOut(() => setLeft(true)), [])
  return hasLeft
}

function SignedOut() {
  const { path, search } = useAddress()
  return (
    <Page title="You are signed out" lead="You have signed out in another tab.">
      <p className="actions">
        <a className="primary" href={signInAddress(`${path}${search}`)}>
          Sign in again
        </a>
      </p>
    </Page>
  )
}

function NothingHere() {
  return (
    <Page title="There is nothing here" lead="The address is mistyped, or what was here is gone.">
      <p>
        <Link to={pathTo('home')}>To the first page</Link>
      </p>
    </Page>
  )
}
