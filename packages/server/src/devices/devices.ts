import type { Requester } from '../audit/audit.js'
import type { SessionsDeps, User } from '../sessions/sessions.js'
import { decideTool, findTool, requestDevice } from './request-device.js'
import { exchangeDevice, readTool, refreshTool, revokeTool } from './tool-tokens.js'

export type DevicesDeps = Pick<SessionsDeps, 'database' | 'clock' | 'urls'>

/** The response to a tool that asks to be signed in (RFC 8628, section 3.2). */
export interface DeviceAuthorization {
  readonly device_code: string
  readonly user_code: string
  readonly verification_uri: string
  readonly verification_uri_complete: string
  readonly expires_in: number
  readonly interval: number
}

/** A tool that waits for approval, as the user sees it. */
export interface WaitingTool {
  /** As it is shown: `BCDF-GHJK`. */
  readonly userCode: string
  readonly address: string
  readonly agent: string
  readonly createdAt: Date
}

export interface TokenResponse {
  readonly access_token: string
  readonly token_type: 'Bearer'
  readonly expires_in: number
  readonly refresh_token: string
}

/** The errors of the token endpoint that concern the grant (RFC 6749 and RFC 8628). */
export type TokenError = 'authorization_pending' | 'slow_down' | 'expired_token' | 'access_denied' | 'invalid_grant'

/** Sign-in for a tool without a browser (docs/protocol.md, section 4). */
export interface Devices {
  begin(requester: Requester): Promise<DeviceAuthorization>
  find(userCode: string): Promise<WaitingTool | undefined>
  /** False if no tool waits under the code. */
  decide(user: User, userCode: string, decision: 'approve' | 'deny', requester: Requester): Promise<boolean>
  exchange(deviceCode: string, requester: Requester): Promise<TokenResponse | TokenError>
  refresh(refreshToken: string, requester: Requester): Promise<TokenResponse | TokenError>
  /** Signs a tool out by either of its tokens. An unknown token is ignored. */
  revoke(token: string, requester: Requester): Promise<void>
  /** The user of an access token. */
  read(accessToken: string): Promise<User | 'expired' | undefined>
}

/**
 * Sign-in for tools without a browser (RFC 8628), on a database that `prepareDatabase` has prepared.
 *
 * @example
 * const devices = createDevices({ database, clock: () => new Date(), urls: settings })
 * const { user_code, verification_uri } = await devices.begin(requester)
 */
export function createDevices(deps: DevicesDeps): Devices {
  return {
    begin: (requester) => requestDevice(deps, requester),
    find: (userCode) => findTool(deps, userCode),
    decide: (user, typed, decision, requester) => decideTool(deps, user, { typed, decision, requester }),
    exchange: (deviceCode, requester) => exchangeDevice(deps, deviceCode, requester),
    refresh: (refreshToken, requester) => refreshTool(deps, refreshToken, requester),
    revoke: (token, requester) => revokeTool(deps, token, requester),
    read: (accessToken) => readTool(deps, accessToken),
  }
}
