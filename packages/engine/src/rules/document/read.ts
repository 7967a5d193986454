import { parsePlain } from './plain.js'
import type { ParsedFile } from './tree.js'
import { parseYaml } from './yaml.js'

/**
 * Reads a YAML stream with positions. The usual block form is read by a small reader, which is always loaded; everything
 * else by the full parser. It never throws: problems of the text are in `problems`.
 *
 * @example
 * const { documents, problems } = await readYaml('rules: {paths: [a.yaml]}')
 */
export async function readYaml(text: string): Promise<ParsedFile> {
  return parsePlain(text) ?? (await parseYaml(text))
}
