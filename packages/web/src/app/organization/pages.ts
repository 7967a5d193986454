// The pages for administrators, as one part that is loaded when the first of them is opened.
export { AuditPage } from './audit-page.js'
export { ConnectionPage } from './connection-page.js'
export { DomainsPage } from './domains-page.js'
export { MembersPage } from './members-page.js'
export { TokensPage } from './tokens-page.js'
