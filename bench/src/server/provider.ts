import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const CHILD = fileURLToPath(new URL('./children/provider.js', import.meta.url))

/** An application that people sign in to. */
export interface Application {
  readonly redirectUri: string
  /** Whether it is given refresh tokens. */
  readonly refreshes: boolean
}

export interface Client {
  readonly clientId: string
  readonly clientSecret: string
}

/** What the process tells about itself once it listens. */
export interface ProviderAddress {
  readonly issuer: string
}

/** A real OpenID provider, at which everybody who comes with an address is signed in without being asked. */
export interface Provider extends ProviderAddress {
  readonly wellKnownUrl: string
  register(application: Application): Promise<Client>
  stop(): Promise<void>
}

/**
 * Starts `oidc-provider` in a process of its own, so that its work is not that of whoever it is compared with.
 *
 * @example
 * const provider = await startProvider()
 * const { clientId, clientSecret } = await provider.register({ redirectUri, refreshes: true })
 */
export async function startProvider(): Promise<Provider> {
  // It warns at length that its store is memory, which is what it is here for.
  const child = fork(CHILD, [], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
  const gone = once(child, 'exit')
  const answer = async () => {
    const [message] = (await Promise.race([once(child, 'message'), gone])) as [unknown]
    if (message === null || typeof message !== 'object') throw new Error('the identity provider has ended')
    return message
  }
  const { issuer } = (await answer()) as ProviderAddress
  return {
    issuer,
    wellKnownUrl: `${issuer}/.well-known/openid-configuration`,
    async register(application) {
      const client = answer()
      child.send(application)
      return (await client) as Client
    },
    async stop() {
      child.disconnect()
      await gone
    },
  }
}
