/** The part of `oidc-provider` that the tests use: the package has no types. */
declare module 'oidc-provider' {
  import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'

  export class Provider {
    constructor(issuer: string, configuration: Readonly<Record<string, unknown>>)
    callback(): RequestListener
    /** Ends a dialog with the user. */
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>
  }
}
