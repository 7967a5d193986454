import type { ReactNode } from 'react'
import { useAccount } from '../account.js'
import { Page } from '../frame/page.js'
import { NavLinks } from '../frame/shell.js'
import type { RouteName } from '../routes.js'

const LINKS = [
  { to: 'members', text: 'Members' },
  { to: 'domains', text: 'Domains' },
  { to: 'connection', text: 'Connection' },
  { to: 'tokens', text: 'Tokens' },
  { to: 'audit', text: 'Audit' },
] as const satisfies readonly { readonly to: RouteName; readonly text: string }[]

export interface OrganizationPageProps {
  readonly name: (typeof LINKS)[number]['to']
  readonly title: string
  readonly lead: ReactNode
  readonly children: ReactNode
}

/** A page for administrators, with links to the others. */
export function OrganizationPage({ name, title, lead, children }: OrganizationPageProps) {
  const account = useAccount()
  return (
    <Page
      title={title}
      tab={`${title} · ${account?.organization ?? 'Organization'}`}
      above={<NavLinks links={LINKS} route={{ name, id: '' }} label="Organization" />}
      lead={lead}
    >
      {children}
    </Page>
  )
}
