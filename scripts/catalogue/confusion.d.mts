import type { CompiledRules, Detector, DetectorOptions } from '@omen/engine'
import type { CatalogueFolder, Overlap } from './read-catalogue.mjs'

/** The functions of the engine, from its build or its source. */
export interface Engine {
  compileRules(documents: readonly { readonly name: string; readonly text: string }[]): Promise<CompiledRules>
  createDetector(rules: CompiledRules, options?: DetectorOptions): Detector
  readonly RulesError: abstract new (...args: never[]) => { readonly problems: readonly object[] }
}

/** A rule that fired on a log: the first entry of its first detection. */
export interface Fired {
  readonly rule: string
  readonly log: string
  readonly count: number
  readonly line: number
  readonly entry: string
}

/** A log to scan: its bytes, or pieces of it. */
export interface ScannedLog {
  readonly name: string
  readonly bytes?: Uint8Array
  readonly chunks?: Iterable<Uint8Array>
}

export interface Confusion {
  /** Rules that do not fire on their own `hit.log`. */
  readonly silent: readonly string[]
  /** Rules that fire on their own `hit.log`. */
  readonly own: readonly string[]
  readonly undeclared: readonly Fired[]
  readonly overlapping: readonly Fired[]
  /** Declared overlaps that do not occur. */
  readonly stale: readonly (Overlap & { readonly isKnown: boolean })[]
  readonly warnings: readonly { readonly log: string; readonly message: string }[]
}

export const TEST_DAY: Date
export function compileCatalogue(
  engine: Engine,
  folders: readonly CatalogueFolder[],
): Promise<{
  readonly rules: CompiledRules
  readonly folders: readonly CatalogueFolder[]
  readonly broken: readonly { readonly folder: string; readonly problems: readonly string[] }[]
}>
export function createScan(
  engine: Engine,
  rules: CompiledRules,
): (log: ScannedLog) => {
  readonly name: string
  readonly fired: ReadonlyMap<string, Fired>
  readonly warnings: readonly string[]
}
export function confusion(
  engine: Engine,
  options: {
    readonly rules: CompiledRules
    readonly folders: readonly CatalogueFolder[]
    readonly overlaps?: readonly Overlap[]
    readonly quiet?: readonly ScannedLog[]
  },
): Confusion
