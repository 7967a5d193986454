/** As much of `oidc-provider` as the tests use: the package has no types of its own. */
declare module 'oidc-provider' {
  import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'

  export class Provider {
    constructor(issuer: string, configuration: Readonly<Record<string, unknown>>)
    callback(): RequestListener
    /** Ends what the provider asks a person. */
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>
  }
}
