import type { Caller } from '../onboarding/onboarding.js'
import type { Person, Visitor } from '../sessions/sessions.js'

/** What a tool is told when it asks to be signed in (RFC 8628, section 3.2). */
export interface DeviceAuthorization {
  readonly device_code: string
  readonly user_code: string
  readonly verification_uri: string
  readonly verification_uri_complete: string
  readonly expires_in: number
  readonly interval: number
}

/** A tool that waits to be approved, as the person who decides sees it. */
export interface WaitingTool {
  /** As it is shown: `BCDF-GHJK`. */
  readonly userCode: string
  readonly address: string
  readonly agent: string
  readonly createdAt: Date
}

export interface TokenAnswer {
  readonly access_token: string
  readonly token_type: 'Bearer'
  readonly expires_in: number
  readonly refresh_token: string
}

/** The errors of the token endpoint that are about the grant (RFC 6749 and 8628). */
export type TokenError = 'authorization_pending' | 'slow_down' | 'expired_token' | 'access_denied' | 'invalid_grant'

/** Sign-in for a tool without a browser. */
export interface Devices {
  begin(visitor: Visitor): Promise<DeviceAuthorization>
  find(userCode: string): Promise<WaitingTool | undefined>
  /** False when nothing waits under the code any more. */
  decide(person: Person, userCode: string, decision: 'approve' | 'deny', caller: Caller): Promise<boolean>
  exchange(deviceCode: string, caller: Caller): Promise<TokenAnswer | TokenError>
  refresh(refreshToken: string, caller: Caller): Promise<TokenAnswer | TokenError>
  /** Ends a tool by either of its tokens. Unknown ones are ended already. */
  revoke(token: string, caller: Caller): Promise<void>
  /** Whose access token it is. */
  read(accessToken: string): Promise<Person | 'expired' | undefined>
}
