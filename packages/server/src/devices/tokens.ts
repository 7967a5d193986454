import { hashText, randomText } from '../signin/begin-authorization.js'
import type { ToolTokens } from '../store/tool-logins.js'
import type { TokenAnswer } from './devices.js'

const ACCESS = 'omen_at_'
const REFRESH = 'omen_rt_'

/** Short, because an access token that got into wrong hands cannot be told from the right one. */
export const ACCESS_SECONDS = 3600

export interface TokenPair {
  /** For the tool, this once. */
  readonly answer: TokenAnswer
  /** For the store. */
  readonly hashes: ToolTokens
}

/**
 * Makes an access token and a refresh token. Their beginnings tell scanners of secrets what they are.
 *
 * @example
 * makeTokens(new Date()).answer.access_token // 'omen_at_…'
 */
export function makeTokens(now: Date): TokenPair {
  const access = `${ACCESS}${randomText()}`
  const refresh = `${REFRESH}${randomText()}`
  return {
    answer: { access_token: access, token_type: 'Bearer', expires_in: ACCESS_SECONDS, refresh_token: refresh },
    hashes: {
      accessHash: hashText(access),
      accessExpiresAt: new Date(now.getTime() + ACCESS_SECONDS * 1000),
      refreshHash: hashText(refresh),
    },
  }
}

/** Whether a text can be an access token of a tool at all. */
export function isAccessToken(text: string): boolean {
  return /^omen_at_[\w-]{43}$/.test(text)
}

export function isRefreshToken(text: string): boolean {
  return /^omen_rt_[\w-]{43}$/.test(text)
}
