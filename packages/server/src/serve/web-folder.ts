import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The built pages, beside the program or in a checkout. */
const FOLDERS = ['../web', '../../../web/dist']

/** The folder of the built pages, or undefined if they were not built. */
export function findWebFolder(): string | undefined {
  const folders = FOLDERS.map((folder) => fileURLToPath(new URL(folder, import.meta.url)))
  return folders.find((folder) => existsSync(join(folder, 'index.html')))
}
