import type { CommonOptions } from '../command-line/command.js'
import { writeFileAtomically } from '../output/write-file.js'
import { prepareRules } from '../rules/prepare-rules.js'
import type { Session } from '../session.js'
import { writeDataSources } from './write-template.js'

/**
 * `omen -g`: writes a data source file for the rules that a scan would run. Returns the exit code.
 *
 * @example
 * await generate(command, session)   // Wrote data source template to data-sources-1.0.0.yaml
 */
export function generate(command: CommonOptions, session: Session): Promise<number> {
  const { out } = session
  return writeDataSources(command, {
    out,
    rules: () => prepareRules(command, session),
    writeFile: writeFileAtomically,
  })
}
