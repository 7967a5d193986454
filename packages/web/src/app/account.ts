import { createContext, useContext } from 'react'
import type { Answer } from '../api/request.js'
import type { AppService } from './api/client.js'
import type { Role } from './api/messages.js'

/** Who is signed in. */
export interface Account {
  readonly email: string
  readonly name: string
  readonly organization: string
  readonly domains: readonly string[]
  readonly role: Role
}

/**
 * Reads who is signed in, and what they may do. While a service is being replaced by a newer one, it may not know roles yet:
 * everybody is a member then.
 *
 * @example
 * const answer = await readAccount(service)
 */
export async function readAccount(service: AppService): Promise<Answer<Account>> {
  const [me, org] = await Promise.all([service.readMe(), service.readOrganization()])
  if (!me.ok) return me
  if (!org.ok && org.failure.code !== 'not_found') return org
  const { email, name, org: own } = me.value
  const { role, domains } = org.ok ? org.value : { role: 'member' as const, domains: [own.domain] }
  return { ok: true, value: { email, name, organization: own.name, domains, role } }
}

export const ServiceContext = createContext<AppService | undefined>(undefined)
export const AccountContext = createContext<Account | undefined>(undefined)

/** The API. */
export function useService(): AppService {
  const service = useContext(ServiceContext)
  if (service === undefined) throw new Error('there is no service around this page')
  return service
}

/** Who is signed in; undefined on a page for everybody that nobody in particular looks at. */
export function useAccount(): Account | undefined {
  return useContext(AccountContext)
}
