import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { AccountContext, readAccount, ServiceContext } from './account.js'
import { RulesPage } from './catalogue/rules-page.js'
import type { AppService } from './client.js'
import { ErrorBoundary, Page } from './frame/page.js'
import { ResourceView } from './frame/resource-view.js'
import { Shell } from './frame/shell.js'
import { HomePage } from './home/home-page.js'
import { Link, useAddress } from './navigation.js'
import { matchRoute, pathTo, ROUTES, type RouteMatch, type RouteName } from './routes.js'
import { SessionsPage } from './sessions-page.js'
import { onSignedOut, signInUrl } from './sign-in.js'
import { useResource } from './use-resource.js'

// Pages that few users open are loaded on demand.
const RulePage = lazy(() => import('./catalogue/rule-page.js').then(({ RulePage }) => ({ default: RulePage })))
const OrganizationPages = lazy(() =>
  import('./organization/pages.js').then(({ OrganizationPages }) => ({ default: OrganizationPages })),
)

const PAGES: Readonly<Record<RouteName, (route: RouteMatch) => ReactNode>> = {
  home: () => <HomePage />,
  rules: () => <RulesPage />,
  rule: ({ id }) => <RulePage id={id} />,
  sessions: () => <SessionsPage />,
  members: () => <OrganizationPages name="members" />,
  domains: () => <OrganizationPages name="domains" />,
  connection: () => <OrganizationPages name="connection" />,
  tokens: () => <OrganizationPages name="tokens" />,
  audit: () => <OrganizationPages name="audit" />,
}

/** The app: reads who is signed in, and shows the page of the current address. */
export function App({ service }: { readonly service: AppService }) {
  const { path } = useAddress()
  const route = matchRoute(path)
  const account = useResource('account', () => readAccount(service))
  const hasSignedOut = useSignedOut()
  const isPublic = route !== undefined && ROUTES[route.name].for === 'everyone'
  const hasNoSession = account.failure?.code === 'missing_session'
  return (
    <ServiceContext value={service}>
      <AccountContext value={hasNoSession ? undefined : account.value}>
        <Shell route={route}>
          {hasSignedOut ? (
            <SignedOut />
          ) : isPublic ? (
            <Content route={route} />
          ) : (
            <ResourceView resource={hasNoSession ? { ...account, value: undefined } : account} what="your account">
              {() => <Content route={route} />}
            </ResourceView>
          )}
        </Shell>
      </AccountContext>
    </ServiceContext>
  )
}

function Content({ route }: { readonly route: RouteMatch | undefined }) {
  if (route === undefined) return <NotFound />
  return (
    // The key resets the boundary when another page is opened after an error.
    <ErrorBoundary key={`${route.name} ${route.id}`}>
      <Suspense fallback={<p className="loading">Loading…</p>}>{PAGES[route.name](route)}</Suspense>
    </ErrorBoundary>
  )
}

/** Whether another tab has signed out. */
function useSignedOut(): boolean {
  const [hasSignedOut, setSignedOut] = useState(false)
  useEffect(() => onSignedOut(() => setSignedOut(true)), [])
  return hasSignedOut
}

function SignedOut() {
  const { path, search } = useAddress()
  return (
    <Page title="You are signed out" lead="You signed out in another tab.">
      <p className="actions">
        <a className="primary" href={signInUrl(`${path}${search}`)}>
          Sign in again
        </a>
      </p>
    </Page>
  )
}

function NotFound() {
  return (
    <Page title="Page not found" lead="Check the address. The page may have been removed.">
      <p>
        <Link to={pathTo('home')}>Go to the home page</Link>
      </p>
    </Page>
  )
}
