import type { Clock } from '../clock.js'
import type { Database } from '../store/database.js'
import type { CompilePackage } from './compile-package.js'

/** What releases are made of. */
export interface ReleaseParts {
  readonly database: Database
  readonly clock: Clock
  readonly compile: CompilePackage
}

/** A package has far less; it is held in memory to be compiled. */
export const LARGEST_PACKAGE = 16 * 1024 * 1024

/** A single-file executable has about 100 MB. */
export const LARGEST_TOOL = 512 * 1024 * 1024
