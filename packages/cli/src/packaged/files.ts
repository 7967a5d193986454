import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { getRawAsset, isSea } from 'node:sea'

/** The folder of the built tool, put here by the bundler. */
declare const DIST: string | undefined

/** A test runs the source, and finds the files where the build puts them. */
const FOLDER = typeof DIST === 'string' ? DIST : join(import.meta.dirname, '../../dist')

/** Whether the tool runs as a single-file executable, which carries its files inside. */
export function isSingleFile(): boolean {
  return isSea()
}

/** Where a file of the tool lies. A single-file executable has no such place: it reads them all with `readPackaged`. */
export function packagedPath(name: string): string {
  return join(FOLDER, name)
}

/**
 * Reads a file that comes with the tool: from its folder, or from within the executable. The bytes are not to be written to.
 *
 * @example
 * readPackaged('rules.yaml')
 */
export function readPackaged(name: string): Buffer {
  return isSea() ? Buffer.from(getRawAsset(name) as ArrayBuffer) : readFileSync(packagedPath(name))
}
