import type { Devices } from './devices.js'
import { exchangeDevice } from './exchange-device.js'
import { readTool, refreshTool, revokeTool } from './refresh-tool.js'
import { type DevicesParts, decideTool, findTool, requestDevice } from './request-device.js'

/**
 * Sign-in for tools without a browser (RFC 8628), on a database that `prepareDatabase` has prepared.
 *
 * @example
 * const devices = createDevices({ database, clock: () => new Date(), urls: settings })
 * const { user_code, verification_uri } = await devices.begin(visitor)
 */
export function createDevices(parts: DevicesParts): Devices {
  return {
    begin: (visitor) => requestDevice(parts, visitor),
    find: (userCode) => findTool(parts, userCode),
    decide: (person, typed, decision, caller) => decideTool(parts, person, { typed, decision, caller }),
    exchange: (deviceCode, caller) => exchangeDevice(parts, deviceCode, caller),
    refresh: (refreshToken, caller) => refreshTool(parts, refreshToken, caller),
    revoke: (token, caller) => revokeTool(parts, token, caller),
    read: (accessToken) => readTool(parts, accessToken),
  }
}
