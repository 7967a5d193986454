import { onboarding } from './0001-onboarding.js'
import { signInTests } from './0002-sign-in-tests.js'
import { releases } from './0003-releases.js'
import { signIn } from './0004-sign-in.js'
import { administration } from './0005-administration.js'
import type { Migration } from './migration.js'

/** All migrations, in order. */
export const MIGRATIONS: readonly Migration[] = [onboarding, signInTests, releases, signIn, administration]
