import { createOperations } from '../operator/create-operations.js'
import type { OpenedOperations } from '../operator/reach.js'
import type { Settings } from '../settings/settings.js'
import { type FoundationOptions, openFoundation } from './open-foundation.js'

export type OpenOptions = Pick<FoundationOptions, 'clock' | 'env' | 'tell'>

/** Opens the database for one of the operator's commands, which does not wait for it. */
export async function openOperations(settings: Settings, options: OpenOptions): Promise<OpenedOperations> {
  const pause = () => Promise.resolve()
  const { database, keys } = await openFoundation(settings, { ...options, pause, isPatient: false })
  return {
    operations: createOperations({ database, keys, clock: options.clock, urls: settings }),
    close: () => database.close(),
  }
}
