import { createOperations } from '../operator/create-operations.js'
import type { OpenedOperations } from '../operator/reach.js'
import type { Settings } from '../settings/settings.js'
import { type FoundationOptions, openFoundation } from './open-foundation.js'

export type OpenOptions = Pick<FoundationOptions, 'clock' | 'env' | 'report'>

/** Opens the database for a command of the operator, without waiting for it. */
export async function openOperations(settings: Settings, options: OpenOptions): Promise<OpenedOperations> {
  const pause = () => Promise.resolve()
  const { database, keys } = await openFoundation(settings, { ...options, pause, waitsForDatabase: false })
  return {
    operations: createOperations({ database, keys, clock: options.clock, urls: settings }),
    close: () => database.close(),
  }
}
