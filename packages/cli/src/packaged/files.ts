import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { getRawAsset, isSea } from 'node:sea'

/** The folder of the built tool. The bundler defines it. */
declare const DIST: string | undefined

/** Tests run the source, and read the files from the build. */
const FOLDER = typeof DIST === 'string' ? DIST : join(import.meta.dirname, '../../dist')

/** Whether the tool runs as a single-file executable, which contains its files. */
export function isSingleFile(): boolean {
  return isSea()
}

/** The path of a file of the tool. In a single-file executable no such file exists: use `readPackaged`. */
export function packagedPath(name: string): string {
  return join(FOLDER, name)
}

/**
 * Reads a file that comes with the tool, from its folder or from inside the executable. Do not change the bytes.
 *
 * @example
 * readPackaged('rules.yaml')
 */
export function readPackaged(name: string): Buffer {
  return isSea() ? Buffer.from(getRawAsset(name) as ArrayBuffer) : readFileSync(packagedPath(name))
}
