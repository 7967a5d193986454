import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Where the pages may be: packed beside the program, or built in its own package. */
const PLACES = ['../web', '../../../web/dist']

/** The folder of the built pages, undefined where they were not built. */
export function findWebFolder(): string | undefined {
  const folders = PLACES.map((place) => fileURLToPath(new URL(place, import.meta.url)))
  return folders.find((folder) => existsSync(join(folder, 'index.html')))
}
