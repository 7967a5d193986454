import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'

/** The folder of the community rules in this checkout. */
export const CATALOGUE = fileURLToPath(new URL('../../rules/', import.meta.url))

const FOLDER = /^cre-\d{4}-\d+$/
const LOGS = ['hit.log', 'miss.log']

/**
 * Reads the catalogue: the folders of rules with their documents and logs, the vocabularies, and the declared overlaps. Files
 * that are missing in a folder are left out.
 *
 * @example
 * const { folders, overlaps } = readCatalogue()
 */
export function readCatalogue(root = CATALOGUE) {
  const names = readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && FOLDER.test(entry.name))
    .map((entry) => entry.name)
    .sort()
  return {
    root,
    folders: names.map((name) => readFolder(root, name)),
    overlaps: readYamlFile(root, 'overlaps.yaml') ?? [],
    categories: readYamlFile(root, 'categories.yaml') ?? {},
    tags: readYamlFile(root, 'tags.yaml') ?? {},
  }
}

function readFolder(root, name) {
  const document = join(root, name, 'rule.yaml')
  return {
    name,
    id: name.toUpperCase(),
    files: readdirSync(join(root, name)).sort(),
    text: existsSync(document) ? readFileSync(document, 'utf8') : undefined,
    logs: LOGS.filter((log) => existsSync(join(root, name, log))).map((log) => ({
      name: `${name}/${log}`,
      expected: log.startsWith('hit') ? 'hit' : 'miss',
      bytes: readFileSync(join(root, name, log)),
    })),
  }
}

function readYamlFile(root, name) {
  const path = join(root, name)
  return existsSync(path) ? parse(readFileSync(path, 'utf8')) : undefined
}
