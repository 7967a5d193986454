import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The folder with the executable contract, beside the checkout. A user's clone does not have it. */
export const sharedFolder = fileURLToPath(new URL('../../../../shared/', import.meta.url))

/** Whether the tests that read the contract can run. In CI its absence is an error, which is thrown here once for all of them. */
export const hasShared = existsSync(sharedFolder)
if (!hasShared && process.env.CI === 'true') throw new Error(`the contract is missing: ${sharedFolder}`)
