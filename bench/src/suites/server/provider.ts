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

/** What the process sends once it listens. */
export interface ProviderAddress {
  readonly issuer: string
}

/** A real OpenID provider that signs in every address without asking. */
export interface Provider extends ProviderAddress {
  readonly wellKnownUrl: string
  register(application: Application): Promise<Client>
  stop(): Promise<void>
}

/**
 * Starts `oidc-provider` in its own process, so that its CPU time does not count for the service.
 *
 * @example
 * const provider = await startProvider()
 * const { clientId, clientSecret } = await provider.register({ redirectUri, refreshes: true })
 */
export async function startProvider(): Promise<Provider> {
  // It prints long warnings that its store is in memory, which is intended here.
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
