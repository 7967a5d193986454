/**
 * The year of times without one must not depend on the current day: at the end of a year every date is in that year. `omen
 * rules test` uses the same day.
 */
export const TEST_DAY = new Date('2026-12-31T12:00:00Z')

/**
 * Compiles the rules of all folders together. A folder that cannot be compiled, or that repeats the id of another one, is left
 * out and reported with its problems, so that the others can be checked.
 *
 * @example
 * const { rules, broken } = await compileCatalogue(engine, folders)
 */
export async function compileCatalogue({ compileRules, RulesError }, folders) {
  const broken = folders
    .filter(({ text }) => text === undefined)
    .map(({ name }) => ({ folder: name, problems: ['no rule.yaml'] }))
  let usable = folders.filter(({ text }) => text !== undefined)
  for (;;) {
    try {
      const rules = await compileRules(usable.map(({ name, text }) => ({ name: `${name}/rule.yaml`, text })))
      return { rules, broken, folders: usable }
    } catch (error) {
      if (!(error instanceof RulesError)) throw error
      const problems = new Map()
      for (const { file, line, column, message } of error.problems) {
        const folder = file.split('/')[0]
        problems.set(folder, [...(problems.get(folder) ?? []), `${line}:${column}: ${message}`])
      }
      for (const [folder, texts] of problems) broken.push({ folder, problems: texts })
      usable = usable.filter(({ name }) => !problems.has(name))
    }
  }
}

/**
 * Creates the function that runs every rule on a log. It returns the rules that fired, each with the line and the text of the
 * first entry of its first detection, and the warnings of the tool. All logs use one detector: building it takes longer than
 * scanning them.
 *
 * @example
 * const scan = createScan(engine, rules)
 * scan({ name: 'cre-2026-10001/hit.log', bytes }).fired.has('CRE-2026-10001')
 */
export function createScan({ createDetector }, rules) {
  let warnings = []
  const detector = createDetector(rules, { now: TEST_DAY, warn: (message) => warnings.push(message) })
  return ({ name, bytes, chunks = [bytes] }) => {
    detector.restart()
    warnings = []
    const fired = new Map()
    const take = (detections) => {
      for (const { cre, hits } of detections) {
        const known = fired.get(cre.id)
        if (known) known.count++
        else fired.set(cre.id, { rule: cre.id, log: name, count: 1, line: hits[0].line, entry: hits[0].entry })
      }
    }
    for (const chunk of chunks) take(detector.push(chunk))
    take(detector.end())
    return { name, fired, warnings }
  }
}

/**
 * The confusion of rules and logs: rules that are silent on their own `hit.log`, and every hit on another log that is not a
 * declared overlap. `quiet` are logs on which no rule may fire, even if an overlap is declared.
 *
 * @example
 * const { silent, undeclared, stale } = confusion(engine, { rules, folders, overlaps, quiet })
 */
export function confusion(engine, { rules, folders, overlaps = [], quiet = [] }) {
  const scan = createScan(engine, rules)
  const declared = new Map(overlaps.map((overlap) => [`${overlap.rule} ${overlap.log}`, overlap]))
  const met = new Set()
  const result = { silent: [], own: [], undeclared: [], overlapping: [], warnings: [] }
  for (const folder of folders) {
    if (!folder.logs.some(({ expected }) => expected === 'hit')) result.silent.push(folder.id)
    for (const log of folder.logs) {
      const { fired, warnings } = scan(log)
      for (const message of warnings) result.warnings.push({ log: log.name, message })
      if (log.expected === 'hit') (fired.has(folder.id) ? result.own : result.silent).push(folder.id)
      for (const hit of fired.values()) {
        if (log.expected === 'hit' && hit.rule === folder.id) continue
        const key = `${hit.rule} ${log.name}`
        // A rule that fires on its own miss.log is wrong, even if an overlap is declared.
        if (declared.has(key) && hit.rule !== folder.id) {
          met.add(key)
          result.overlapping.push(hit)
        } else result.undeclared.push(hit)
      }
    }
  }
  for (const log of quiet) result.undeclared.push(...scan(log).fired.values())
  const isThere = new Set(folders.flatMap(({ id, logs }) => [id, ...logs.map(({ name }) => name)]))
  const stale = [...declared].filter(([key]) => !met.has(key)).map(([, overlap]) => overlap)
  return { ...result, stale: stale.map((one) => ({ ...one, isKnown: isThere.has(one.rule) && isThere.has(one.log) })) }
}
