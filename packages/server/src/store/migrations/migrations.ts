import { onboarding } from './0001-onboarding.js'
import type { Migration } from './migration.js'

/** All of them, in their order. */
export const MIGRATIONS: readonly Migration[] = [onboarding]
