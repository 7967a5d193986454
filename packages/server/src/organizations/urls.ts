/** The addresses of the service. Read for each response: with port 0 they are known only after the start. */
export interface Urls {
  /** Without a trailing slash. */
  readonly baseUrl: string
  readonly appUrl: string
}

interface HasUrls {
  readonly urls: Urls
}

/** The redirect URI of a connection (`sign_in_uri` in the API). It stays the same when a connection is replaced. */
export function signInUri({ urls }: HasUrls, callbackId: string): string {
  return `${urls.baseUrl}/v1/auth/callback/${callbackId}`
}

/** The page of the app that shows the connection and the result of its test. */
export function connectionPage({ urls }: HasUrls): string {
  return `${urls.appUrl}/organization/connection`
}
