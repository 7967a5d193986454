import type { Role } from '@omen/server/api'
import { createContext, useContext } from 'react'
import type { Result } from '../api/request.js'
import type { AppService } from './client.js'

/** The signed-in user. */
export interface Account {
  readonly email: string
  readonly name: string
  readonly organization: string
  readonly domains: readonly string[]
  readonly role: Role
}

/**
 * Reads the signed-in user and their role. During an update, an older version of the service may respond that does not know
 * `/v1/org` yet; every user is a member then.
 *
 * @example
 * const result = await readAccount(service)
 */
export async function readAccount(service: AppService): Promise<Result<Account>> {
  const [me, org] = await Promise.all([service.readMe(), service.readOrganization()])
  if (!me.ok) return me
  if (!org.ok && org.failure.code !== 'not_found') return org
  const { email, name, org: own } = me.value
  const { role, domains } = org.ok ? org.value : { role: 'member' as const, domains: [own.domain] }
  return { ok: true, value: { email, name, organization: own.name, domains, role } }
}

export const ServiceContext = createContext<AppService | undefined>(undefined)
export const AccountContext = createContext<Account | undefined>(undefined)

export function useService(): AppService {
  const service = useContext(ServiceContext)
  if (service === undefined) throw new Error('useService needs a ServiceContext')
  return service
}

/** The signed-in user; undefined on a public page that is shown without a session. */
export function useAccount(): Account | undefined {
  return useContext(AccountContext)
}
