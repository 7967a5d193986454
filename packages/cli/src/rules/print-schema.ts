import { readPackaged } from '../packaged/files.js'
import type { RulesContext } from './context.js'

/** The name under which the schema ships, and under which `omen rules new` looks for it. */
export const SCHEMA_FILE = 'rule.schema.json'

/**
 * `omen rules schema`: prints the JSON Schema of a rule document, for editors. Returns the exit code.
 *
 * @example
 * await printSchema({}, context)
 */
export async function printSchema(_command: object, { out }: Pick<RulesContext, 'out'>): Promise<number> {
  out.write(readPackaged(SCHEMA_FILE).toString())
  return 0
}
