import { AuditPage } from './audit-page.js'
import { ConnectionPage } from './connection-page.js'
import { DomainsPage } from './domains-page.js'
import { MembersPage } from './members-page.js'
import { TokensPage } from './tokens-page.js'

const PAGES = {
  members: MembersPage,
  domains: DomainsPage,
  connection: ConnectionPage,
  tokens: TokensPage,
  audit: AuditPage,
} as const

/** The pages for administrators, which the app loads together when the first of them is opened. */
export function OrganizationPages({ name }: { readonly name: keyof typeof PAGES }) {
  const Page = PAGES[name]
  return <Page />
}
