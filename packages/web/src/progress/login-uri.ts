const CALLBACK = '/v1/auth/callback/'

/**
 * The initiate login URI that belongs to a sign-in URI: both stand below the same base URL, which the sign-in URI tells
 * better than any guess.
 *
 * @example
 * loginUri('https://omen.example/v1/auth/callback/5b0e…', '') // 'https://omen.example/v1/auth/login'
 */
export function loginUri(signInUri: string, baseUrl: string): string {
  const end = signInUri.lastIndexOf(CALLBACK)
  return `${end > 0 ? signInUri.slice(0, end) : baseUrl}/v1/auth/login`
}
